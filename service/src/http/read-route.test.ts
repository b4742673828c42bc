import { toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { txidOf } from '@coinfront/protocol/transaction.ts';
import { expect, test } from 'vitest';
import type { ReadChain } from '../chain/chain-view.ts';
import { makeTx } from '../testing/fixture-chain.ts';
import { createFixtureServer, makeFixtureChain, miner, payee, scriptOf } from '../testing/fixture-server.ts';
import { readFixture } from '../testing/fixture-view.ts';
import { maxLargeReads } from './large-reads.ts';
import { bytesOfUnit } from './rate-limit.ts';

/** A chain with a transaction that costs some units to read. */
function makeLargeTx() {
  const chain = makeFixtureChain();
  const outputs = Array.from({ length: 6_500 }, () => ({ value: 1n, script: scriptOf(payee) }));
  const tx = makeTx([{ txid: chain.txs[2]!.txid, vout: 0 }], outputs);
  chain.addBlock(scriptOf(miner), [tx]);
  return { chain, path: `/api/v1/tx/${toDisplayHash(txidOf(tx))}` };
}

test('a read that is made twice since it is large is charged for once', async () => {
  const { chain, path } = makeLargeTx();
  const read = readFixture(chain);
  let reads = 0;
  const readChain: ReadChain = async (use, options) => {
    const count: typeof use = (view) => {
      reads++;
      return use(view);
    };
    await read(count);
    const leave = await options!.enterLarge!();
    try {
      return await read(count);
    } finally {
      leave();
    }
  };
  const limit = 1_000;
  const { app } = createFixtureServer({
    chain,
    context: { readChain },
    server: { rateLimitPerMinute: limit },
  });
  const answer = await app.inject(path);
  expect([answer.statusCode, reads]).toEqual([200, 2]);
  const { headers } = await app.inject('/api/v1/wallet-standard');
  const bytesRead = answer.json().size as number;
  const units = Math.floor(bytesRead / bytesOfUnit) + Math.floor(answer.body.length / bytesOfUnit);
  expect(Math.floor(bytesRead / bytesOfUnit)).toBeGreaterThan(1);
  expect(Number(headers['ratelimit-remaining'])).toBe(limit - 2 - units);
});

test('who has too many large reads waiting is refused, and somebody else is not', async () => {
  const { chain, path } = makeLargeTx();
  const held = Promise.withResolvers<void>();
  const read = readFixture(chain);
  const readChain: ReadChain = async (use, options) => {
    const leave = await options?.enterLarge?.();
    await held.promise;
    leave?.();
    return await read(use);
  };
  const { app } = createFixtureServer({
    chain,
    context: { readChain },
    server: { rateLimitPerMinute: 9_000 },
  });
  // Sent when it is asked to be, and not when its answer is awaited.
  const ask = async (remoteAddress: string) => await app.inject({ url: path, remoteAddress });
  const most = maxLargeReads.ofClient + maxLargeReads.waitingOfClient;
  const answers = Array.from({ length: most }, () => ask('192.0.2.1'));
  const refused = await ask('192.0.2.1');
  expect([refused.statusCode, refused.json().code]).toEqual([429, 'rate_limited']);
  const other = ask('192.0.2.2');
  held.resolve();
  expect((await other).statusCode).toBe(200);
  expect(new Set((await Promise.all(answers)).map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
});

test('what takes no more than what is known of the present snapshot is told without one', async () => {
  const chain = makeFixtureChain();
  const read = readFixture(chain);
  let opened = 0;
  let isKnown = false;
  const readChain: ReadChain = Object.assign(
    (async (use) => {
      opened++;
      return await read(use);
    }) as ReadChain,
    {
      peek: async () =>
        isKnown ? await read(async ({ tip, mempool }) => tip && { tip, mempool }) : undefined,
    },
  );
  const { app } = createFixtureServer({ chain, context: { readChain } });
  const opening = await app.inject('/api/v1/status');
  expect(opened).toBe(1);
  isKnown = true;
  const telling = await app.inject('/api/v1/status');
  expect(opened).toBe(1);
  expect(telling.json()).toEqual(opening.json());
  expect(telling.headers).toMatchObject({ 'x-chain-height': '120', etag: opening.headers.etag });
});
