import { bytesToHex, parseDisplayHash } from '@coinfront/protocol/bytes.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type FakeNode, sendResults, startFakeNode } from '../../../test/harness/fake-node.ts';
import { createNodeClient, type NodeClient } from '../node/rpc-client.ts';
import type { Mempool } from './mempool.ts';
import { refreshMempool } from './refresh-mempool.ts';

const TIP = 'a'.repeat(64);
const kept = '1'.repeat(64);
const gone = '2'.repeat(64);

let answers: Record<string, unknown>;
let fake: FakeNode;
let node: NodeClient;

beforeEach(async () => {
  answers = { getrawmempool: [kept], getbestblockhash: TIP, getmempoolinfo: { loaded: true } };
  fake = await startFakeNode((response, request) =>
    sendResults(response, request, (method) => answers[method]),
  );
  node = createNodeClient({ url: fake.url });
});
afterEach(async () => {
  await node.close();
  await fake.stop();
});

/** A mempool of these display txids that notes what it is told to remove. */
function createNotedMempool(...txids: string[]): { mempool: Mempool; removed: string[] } {
  const held = new Set(txids.map(toInternal));
  const removed: string[] = [];
  const mempool: Mempool = {
    has: (txid) => held.has(txid),
    txids: () => held.values(),
    async update(_, txidsGone) {
      removed.push(...txidsGone);
      return 0;
    },
    takeBack: () => Promise.resolve(),
    removeMined: () => Promise.resolve(),
    reload: () => Promise.resolve(),
  };
  return { mempool, removed };
}

function toInternal(txid: string): string {
  return bytesToHex(getValue(parseDisplayHash(txid)));
}

test('what left the node goes while both are at the same block', async () => {
  const { mempool, removed } = createNotedMempool(kept, gone);
  expect(await refreshMempool(node, mempool, TIP, () => false)).toBe(true);
  expect(removed).toEqual([toInternal(gone)]);
});

test('nothing goes when the node has a block that the index has not: the block may have mined it', async () => {
  answers.getbestblockhash = 'b'.repeat(64);
  const { mempool, removed } = createNotedMempool(kept, gone);
  expect(await refreshMempool(node, mempool, TIP, () => false)).toBe(false);
  expect(removed).toEqual([]);
});

test('nothing goes while the node still reads its mempool after a start', async () => {
  answers.getmempoolinfo = { loaded: false };
  const { mempool, removed } = createNotedMempool(kept, gone);
  expect(await refreshMempool(node, mempool, TIP, () => false)).toBe(false);
  expect(removed).toEqual([]);
});

test('a transaction that was listed and cannot be fetched any more leaves the round incomplete', async () => {
  // Something mined or replaced it meanwhile, and what that was is not known yet.
  answers.getrawmempool = [kept, gone];
  answers.getrawtransaction = null;
  const { mempool } = createNotedMempool(kept);
  expect(await refreshMempool(node, mempool, TIP, () => false)).toBe(false);
});
