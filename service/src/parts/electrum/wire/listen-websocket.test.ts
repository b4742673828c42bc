import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import WebSocket from 'ws';
import { waitUntil } from '../../../../../test/harness/litecoind.ts';
import { type ElectrumFixture, portOf, startElectrumFixture } from '../../../testing/electrum-fixture.ts';
import { electrumLimits } from '../electrum-limits.ts';

const PING = Buffer.from([0x89, 0x80, 1, 2, 3, 4]);

async function start(units = 10_000): Promise<ElectrumFixture> {
  const server = await startElectrumFixture({ units });
  onTestFinished(() => server.finish(0));
  return server;
}

/** A session whose client writes its frames itself. */
async function openRaw(server: ElectrumFixture): Promise<Socket> {
  const socket = connect({ port: portOf(server, 'ws'), host: '127.0.0.1', noDelay: true });
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => {});
  socket.write(
    'GET / HTTP/1.1\r\nhost: x\r\nconnection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
  );
  await once(socket, 'data');
  return socket;
}

async function open(server: ElectrumFixture): Promise<WebSocket> {
  const socket = new WebSocket(`ws://127.0.0.1:${portOf(server, 'ws')}`);
  onTestFinished(() => socket.terminate());
  await once(socket, 'open');
  return socket;
}

const heldOf = ({ sessions }: ElectrumFixture): number =>
  [...sessions.open].reduce((sum, { held }) => sum + held, 0);

/** The header of a frame of a text that has so many bytes, with a mask that changes nothing. */
function writeHeader(bytes: number): Buffer {
  const header = Buffer.alloc(14);
  header[0] = 0x81;
  header[1] = 0xff;
  header.writeUInt32BE(bytes, 6);
  return header;
}

test('a message that is not whole is held until it is, and pings within it change nothing', async () => {
  const server = await start();
  const socket = await openRaw(server);
  const call = `{"id":1,"method":"server.ping","params":["${'0'.repeat(1_000_000)}"]}`;
  socket.write(Buffer.concat([writeHeader(call.length), Buffer.from(call.slice(0, -7))]));
  await waitUntil('all of it has come', async () => heldOf(server) === 14 + call.length - 7);
  const answered = once(socket, 'data');
  socket.write(Buffer.concat([Buffer.from(call.slice(-7)), PING, PING.subarray(0, 3)]));
  await answered;
  await waitUntil('only a piece of a ping is held', async () => heldOf(server) === 3);
  const since = [...server.sessions.open][0]!.heldSinceMs;
  expect(Date.now() - since).toBeLessThan(5_000);
  socket.write(PING.subarray(3));
  await waitUntil('nothing is held', async () => heldOf(server) === 0);
});

test('unfinished messages of all sessions are bounded over WebSocket, too', async () => {
  const server = await start();
  const bytes = 2_000_000;
  const frame = Buffer.concat([writeHeader(bytes), Buffer.alloc(bytes - 1, 0x30)]);
  const most = Math.floor(electrumLimits.unfinishedBytes / frame.length);
  for (let i = 0; i < most; i++) (await openRaw(server)).write(frame);
  await waitUntil('all have come', async () => heldOf(server) === most * frame.length);
  const last = await openRaw(server);
  let heard = '';
  last.on('data', (data) => {
    heard += data;
  });
  last.write(frame);
  await new Promise((resolve) => last.once('close', resolve));
  expect(heard).toContain('too many messages are unfinished');
  await waitUntil('it is forgotten', async () => server.sessions.open.size === most);
  expect(heldOf(server)).toBe(most * frame.length);
});

test('the beginning of a message is paid for while it comes', async () => {
  const server = await start(2);
  const frame = Buffer.concat([writeHeader(2_000_000), Buffer.alloc(1_000_000, 0x30)]);
  (await openRaw(server)).write(frame);
  await waitUntil('it has come', async () => heldOf(server) === frame.length);
  const other = await openRaw(server);
  const heard = once(other, 'data');
  other.write(frame);
  expect(String(await heard)).toContain('excessive resource usage');
});

test('a message in pieces of a byte ends the session before each piece has cost what it takes', async () => {
  const server = await start();
  const socket = await openRaw(server);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  for (let i = 0; i < electrumLimits.messagePieces + 10 && !socket.closed; i++)
    socket.write(Buffer.concat([Buffer.from([i === 0 ? 0x01 : 0x00, 0x81, 0, 0, 0, 0]), Buffer.from('0')]));
  await closed;
});

test.each<[string, (socket: WebSocket) => void]>([
  ['messages without a text', (socket) => socket.send(' \n')],
  ['empty messages', (socket) => socket.send('')],
  ['pings', (socket) => socket.ping()],
  ['pongs', (socket) => socket.pong()],
])('%s are paid for as calls, and too many between two messages end the session', async (_, send) => {
  const server = await start(1_000);
  const socket = await open(server);
  const told: string[] = [];
  socket.on('message', (data) => told.push(String(data)));
  const sendSome = async (count: number): Promise<void> => {
    const [session] = server.sessions.open;
    for (let sent = 0; sent < count; sent += 20) {
      const before = session!.skipped;
      for (let i = 0; i < 20; i++) send(socket);
      await waitUntil('they have come', async () => session!.skipped === before + 20);
    }
  };
  const many = electrumLimits.emptyMessages;
  await sendSome(many);
  socket.send('{"id":1,"method":"server.ping"}');
  await waitUntil('it is answered', async () => told.length === 1);
  await sendSome(many);
  expect(told).toHaveLength(1);
  const closed = once(socket, 'close');
  send(socket);
  await closed;
  expect(JSON.parse(told[1]!)).toMatchObject({ id: null, error: { code: -32600 } });
});
