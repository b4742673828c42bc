import { Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { waitUntil } from '../../../../../test/harness/litecoind.ts';
import { startElectrumFixture } from '../../../testing/electrum-fixture.ts';
import { electrumLimits } from '../electrum-limits.ts';

const NESTED = '['.repeat(1_000_000);

async function open(units: number) {
  const server = await startElectrumFixture({ listens: false, units });
  onTestFinished(() => server.finish(0));
  return function beginSession() {
    const heard: string[] = [];
    const reading = { isPaused: false };
    const socket = new Socket();
    const end = server.sessions.begin({
      address: '192.0.2.1',
      socket,
      send: (messages) => heard.push(...messages),
      pause: () => {
        reading.isPaused = true;
      },
      resume: () => {
        reading.isPaused = false;
      },
      end: () => void socket.destroy(),
    })!;
    return { ...end, heard, reading };
  };
}

test('a message that is refused unparsed is paid for by its bytes', async () => {
  const beginSession = await open(10);
  const { take, heard } = beginSession();
  take(NESTED);
  await waitUntil('it is refused', async () => heard.length === 1);
  expect(heard[0]).toContain('commas and brackets');
  const other = beginSession();
  other.take('{"id":1,"method":"server.ping"}');
  await waitUntil('it is answered', async () => other.heard.length === 1);
  expect(other.heard[0]).toContain('excessive resource usage');
});

test('one that was refused while it came is answered and paid for in the same way, and the session goes on', async () => {
  const beginSession = await open(100);
  const { refuse, take, hold, heard } = beginSession();
  hold(30_000);
  refuse(NESTED.length);
  hold(0);
  await waitUntil('it is refused', async () => heard.length === 1);
  expect(heard[0]).toContain('commas and brackets');
  take(NESTED);
  await waitUntil('the whole one is refused', async () => heard.length === 2);
  expect(heard[1]).toBe(heard[0]);
  take('{"id":1,"method":"server.ping"}');
  await waitUntil('it is answered', async () => heard.length === 3);
});

test('of a long message nothing more is read from whoever has nothing left', async () => {
  const beginSession = await open(10);
  beginSession().take(NESTED);
  const { hold, heard, reading } = beginSession();
  hold(30_000);
  expect(reading.isPaused).toBe(false);
  hold(70_000);
  expect(reading.isPaused).toBe(true);
  await waitUntil('it is told', async () => heard.length === 1);
  expect(heard[0]).toContain('excessive resource usage');
});

test('who could pay for the beginning of a message may send all of it, and is answered', async () => {
  const beginSession = await open(2);
  const { take, hold, heard, reading } = beginSession();
  const message = JSON.stringify({ id: 7, method: 'server.ping', params: ['0'.repeat(200_000)] });
  for (let bytes = 50_000; bytes < message.length; bytes += 50_000) hold(bytes);
  take(message);
  hold(0);
  await waitUntil('it is answered', async () => heard.length === 1);
  expect(reading.isPaused).toBe(false);
  expect(JSON.parse(heard[0]!).id).toBe(7);
});

test('what is read of a session that is gone is not counted as held for ever', async () => {
  const beginSession = await open(10_000);
  const gone = beginSession();
  gone.closed();
  gone.hold(electrumLimits.unfinishedBytes);
  const { hold, take, heard } = beginSession();
  hold(10);
  take('{"id":1,"method":"server.ping"}');
  hold(0);
  await waitUntil('it is answered', async () => heard.length === 1);
  expect(JSON.parse(heard[0]!)).toMatchObject({ id: 1, result: null });
});

test('of messages without a pause between them each has its own time', async () => {
  const server = await startElectrumFixture({ listens: false });
  onTestFinished(() => server.finish(0));
  const { take, hold } = server.sessions.begin({
    address: '192.0.2.1',
    socket: new Socket(),
    send() {},
    pause() {},
    resume() {},
    end() {},
  })!;
  const [session] = server.sessions.open;
  hold(10);
  session!.heldSinceMs = 1;
  take('{"id":1,"method":"server.ping"}');
  hold(12);
  expect(session!.heldSinceMs).toBeGreaterThan(1);
});
