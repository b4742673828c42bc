import { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { startElectrumFixture } from '../../../testing/electrum-fixture.ts';
import { electrumLimits } from '../electrum-limits.ts';

const SESSIONS = 10;
const CALLS = 500;

test('of long arrays that come at once one has calls answered in a turn of the event loop, and not all of them', async () => {
  const server = await startElectrumFixture({ listens: false });
  onTestFinished(() => server.finish(0));
  const heard: string[] = [];
  const call = {
    jsonrpc: '2.0',
    id: 1,
    method: 'blockchain.scripthash.get_balance',
    params: ['ab'.repeat(32)],
  };
  const array = JSON.stringify(Array(CALLS).fill(call));
  for (let i = 0; i < SESSIONS; i++) {
    const socket = new Socket();
    const { take } = server.sessions.begin({
      address: '192.0.2.1',
      socket,
      send: (messages) => heard.push(...messages),
      pause() {},
      resume() {},
      end: () => void socket.destroy(),
    })!;
    take(array);
  }
  const readsOfTurns: number[] = [];
  let before = 0;
  while (heard.length < SESSIONS) {
    await nextTurn();
    readsOfTurns.push(server.counts.reads - before);
    before = server.counts.reads;
  }
  // Those that are under way when the slice is over are finished.
  expect(Math.max(...readsOfTurns)).toBeLessThanOrEqual(
    electrumLimits.callsOfTurn + 2 * electrumLimits.callsAtOnce,
  );
  for (const text of heard) expect(JSON.parse(text)).toHaveLength(CALLS);
});
