import { Buffer } from 'node:buffer';
import { encodeAddress } from '@coinfront/protocol/address.ts';
import { toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { txidOf } from '@coinfront/protocol/transaction.ts';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createFixtureChain, makeTx, sha256Of } from '../../testing/fixture-chain.ts';
import { createFixtureServer, fixtureProfile, miner, scriptOf } from '../../testing/fixture-server.ts';

/** What a client has a minute, by default. */
const rateLimitPerMinute = 600;
const usedOfBranch = 100;
const gapLimit = 20;

// A budget is that of a minute of the clock, which must not end between two requests.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

/** The script of an address of the wallet; branch 1 is for change. */
function walletScript(branch: number, index: number): Uint8Array {
  return Uint8Array.of(0, 20, 0xee, branch, index, ...new Uint8Array(17));
}

/**
 * A wallet that was paid a hundred times and paid a hundred times, each time in a block of its own, with change: of its 200 used
 * addresses half have two transactions.
 */
function makeWalletChain() {
  const chain = createFixtureChain(scriptOf(miner));
  for (let i = 0; i < usedOfBranch; i++) {
    const coins = chain.addBlock(scriptOf(miner));
    const coinbase = chain.txs.find(({ height }) => height === coins.height)!;
    const payment = makeTx(
      [{ txid: coinbase.txid, vout: 0 }],
      [{ value: 49_00000000n, script: walletScript(0, i) }],
    );
    chain.addBlock(scriptOf(miner), [payment]);
    const spend = makeTx(
      [{ txid: txidOf(payment), vout: 0 }],
      [
        { value: 20_00000000n, script: scriptOf(miner) },
        { value: 28_00000000n, script: walletScript(1, i) },
      ],
    );
    chain.addBlock(scriptOf(miner), [spend]);
  }
  return chain;
}

const chain = makeWalletChain();

type Ask = (path: string) => Promise<string>;
type Listed = { txid: string; status: { block_height?: number } };

/** Asks as one client under the limits of a service; whatever is refused ends the restore. */
function openClient(): { ask: Ask; leftOf: () => number } {
  const { app } = createFixtureServer({ chain, server: { rateLimitPerMinute } });
  let left = rateLimitPerMinute;
  return {
    async ask(path) {
      const { statusCode, body, headers } = await app.inject(`/esplora${path}`);
      if (statusCode !== 200) throw new Error(`${statusCode} ${path}: ${body}`);
      left = Number(headers['ratelimit-remaining']);
      return body;
    },
    leftOf: () => left,
  };
}

/** Looks at the addresses of both branches until a gap; `look` says whether one was used. */
async function walk(look: (script: Uint8Array) => Promise<boolean>): Promise<number> {
  let used = 0;
  for (const branch of [0, 1]) {
    for (let index = 0, gap = 0; gap < gapLimit; index++) {
      const isUsed = await look(walletScript(branch, index));
      gap = isUsed ? 0 : gap + 1;
      if (isUsed) used += 1;
    }
  }
  return used;
}

function hashOf(script: Uint8Array): string {
  return Buffer.from(sha256Of(script)).toString('hex');
}

describe('a wallet of 200 used addresses is restored within the minute that a client has by default', () => {
  test('by histories of script hashes, and the hash of each block', async () => {
    const { ask, leftOf } = openClient();
    const heights = new Set<number>();
    const used = await walk(async (script) => {
      const txs: Listed[] = JSON.parse(await ask(`/scripthash/${hashOf(script)}/txs`));
      for (const { status } of txs) heights.add(status.block_height!);
      return txs.length > 0;
    });
    for (const height of heights) await ask(`/block-height/${height}`);
    expect([used, heights.size]).toEqual([200, 200]);
    expect(leftOf()).toBeGreaterThan(200);
  });

  test('by histories, raw transactions, and the header of each block', async () => {
    const { ask, leftOf } = openClient();
    const txids = new Set<string>();
    const heights = new Set<number>();
    await walk(async (script) => {
      const txs: Listed[] = JSON.parse(await ask(`/scripthash/${hashOf(script)}/txs`));
      for (const { txid, status } of txs) {
        txids.add(txid);
        heights.add(status.block_height!);
      }
      return txs.length > 0;
    });
    for (const txid of txids) await ask(`/tx/${txid}/raw`);
    for (const height of heights) await ask(`/block/${await ask(`/block-height/${height}`)}/header`);
    expect([txids.size, heights.size]).toEqual([200, 200]);
    expect(leftOf()).toBeGreaterThan(50);
  });

  test('by totals of addresses, and the history and the unspent outputs of those that were used', async () => {
    const { ask, leftOf } = openClient();
    let coins = 0;
    const used = await walk(async (script) => {
      const path = `/address/${encodeAddress(script, fixtureProfile)}`;
      const { chain_stats } = JSON.parse(await ask(path));
      if (chain_stats.tx_count === 0) return false;
      await ask(`${path}/txs`);
      coins += JSON.parse(await ask(`${path}/utxo`)).length;
      return true;
    });
    expect([used, coins]).toEqual([200, 100]);
    expect(leftOf()).toBeGreaterThan(50);
  });
});

describe('the cost of a list', () => {
  const unused = `/scripthash/${'0'.repeat(64)}`;
  const busy = `/scripthash/${hashOf(scriptOf(miner))}`;

  test.each([
    ['an empty history', `${unused}/txs`, 1],
    ['no unspent outputs', `${unused}/utxo`, 1],
    ['25 transactions', `${busy}/txs`, 3],
    ['300 unspent outputs, which are more than 64 KiB', `${busy}/utxo`, 2],
    ['a block of two transactions', `/block/${toDisplayHash(chain.blocks[2]!.hash)}/raw`, 1],
    ['what is not there', `/tx/${'0'.repeat(64)}/outspends`, 1],
  ])('%s: %s', async (_, path, units) => {
    const { app } = createFixtureServer({ chain, server: { rateLimitPerMinute } });
    const { headers } = await app.inject(`/esplora${path}`);
    expect(headers['ratelimit-remaining']).toBe(String(rateLimitPerMinute - units));
    const next = await app.inject('/api/v1/health');
    expect(next.headers['ratelimit-remaining']).toBe(String(rateLimitPerMinute - units - 1));
  });

  test('is taken in full before it is known, so that many at once are no way round the limit', async () => {
    const { app } = createFixtureServer({ chain, server: { rateLimitPerMinute: 40 } });
    const asked = Array.from({ length: 20 }, () => app.inject(`/esplora${busy}/txs`));
    const statuses = (await Promise.all(asked)).map(({ statusCode }) => statusCode);
    expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(5);
    expect(statuses).toContain(429);
  });

  test('that was refused gives nothing back', async () => {
    const { app } = createFixtureServer({ chain, server: { rateLimitPerMinute: 5 } });
    const refused = await app.inject(`/esplora${unused}/txs`);
    expect([refused.statusCode, refused.headers['ratelimit-remaining']]).toEqual([429, '0']);
  });
});
