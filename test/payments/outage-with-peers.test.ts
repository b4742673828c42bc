import { afterAll, beforeAll, expect, test } from 'vitest';
import { forEachEngine } from '../harness/engines.ts';
import { startPair, type TestPair } from '../harness/litecoind.ts';
import { mineExactly, openPurse, type RawCoin } from '../harness/raw-coins.ts';
import { startService } from '../harness/service.ts';
import { FEE, payOwner } from './pay-owner.ts';
import { openDesk } from './payment-desk.ts';

const AMOUNT = 300_000n;

let pair: TestPair;
let nextCoin: () => RawCoin;
let lastOwner = 50_000;

beforeAll(async () => {
  pair = await startPair();
  // Many blocks at once have times ahead of the clock.
  await pair.a.rpc('setmocktime', Math.floor(Date.now() / 1_000) - 3_600);
  nextCoin = await openPurse(pair.a, { count: 10, value: 1_000_000n, owner: 1 });
  await pair.a.rpc('setmocktime', 0);
  await pair.join();
});
afterAll(() => pair.stop());

forEachEngine('an outage of the node', (engine) => {
  test('ends when the node has peers again: what was mined in time meanwhile is paid, and never expired', async () => {
    const { a, b } = pair;
    await pair.join();
    const location = await engine.openUrl();
    const service = await startService({ nodeUrl: b.url, database: location });
    const desk = await openDesk(location, service);
    const openShort = () => desk.open({ owner: ++lastOwner, amount: AMOUNT, expiresInMs: 1 });
    // Time goes on for payments: the node's peers are settled.
    await desk.waitFor(await openShort(), 'expired');

    const owner = ++lastOwner;
    const id = await desk.open({ owner, amount: AMOUNT, confirmations: 1 });
    await b.pause();
    await mineExactly(a, [payOwner(nextCoin(), owner, AMOUNT, FEE)]);
    await desk.change(id, { expires_at: Date.now(), check_at: Date.now() });

    await b.start();
    const isolated = await openShort();
    // The second is looked for in a later round than the first, so that one was judged.
    for (let round = 0; round < 2; round++) {
      const other = await desk.open({ owner: ++lastOwner, amount: AMOUNT });
      await desk.waitUntilRow(other, 'was looked for', ({ is_due }) => is_due === 0);
    }
    expect((await desk.row(id)).status).toBe('open');
    expect((await desk.row(isolated)).status).toBe('open');

    await pair.join();
    await desk.waitFor(id, 'paid');
    expect(await desk.events(id)).toEqual(['payment.paid']);
    await desk.waitFor(isolated, 'expired');
    await desk.close();
    await service.stop();
  });
});
