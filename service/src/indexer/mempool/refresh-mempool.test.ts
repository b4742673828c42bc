import { bytesToHex, parseDisplayHash } from '@coinfront/protocol/bytes.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type FakeNode, sendResults, startFakeNode } from '../../../../test/harness/fake-node.ts';
import { createNodeClient, type NodeClient } from '../../node/rpc-client.ts';
import type { Mempool } from './mempool.ts';
import { openMempoolLook } from './refresh-mempool.ts';

const TIP = 'a'.repeat(64);
const kept = '1'.repeat(64);
const gone = '2'.repeat(64);

/** What a node gives for a transaction of which everything is in an extension block: no inputs, no outputs. */
const HIDDEN_RAW = '0200000000080000';

let answers: Record<string, unknown>;
let fetched: unknown[];
let fake: FakeNode;
let node: NodeClient;

beforeEach(async () => {
  answers = { getrawmempool: [kept], getbestblockhash: TIP, getmempoolinfo: { loaded: true } };
  fetched = [];
  fake = await startFakeNode((response, request) =>
    sendResults(response, request, (method, [first]) => {
      if (method === 'getrawtransaction') fetched.push(first);
      return answers[method];
    }),
  );
  node = createNodeClient({ url: fake.url });
});
afterEach(async () => {
  await node.close();
  await fake.stop();
});

/** A mempool of these display txids that notes what it is told to remove; transactions are their txids. */
function createNotedMempool(...txids: string[]): { mempool: Mempool; held: Set<string>; removed: string[] } {
  const held = new Set(txids.map(toInternal));
  const removed: string[] = [];
  const mempool: Mempool = {
    isEmpty: false,
    get size() {
      return held.size;
    },
    has: (txid) => held.has(txid),
    maySpend: () => false,
    txids: () => held.values(),
    async update(raws, txidsGone) {
      removed.push(...txidsGone);
      for (const txid of txidsGone) held.delete(txid);
      for (const raw of raws) if (bytesToHex(raw) !== HIDDEN_RAW) held.add(bytesToHex(raw));
      return 0;
    },
    admit: () => Promise.resolve(0),
    takeBack: () => Promise.resolve(),
    writeReturned: () => Promise.resolve(),
    removeMined: () => Promise.resolve(),
    sweep: () => Promise.resolve(),
    reload: () => Promise.resolve(),
  };
  return { mempool, held, removed };
}

function toInternal(txid: string): string {
  return bytesToHex(getValue(parseDisplayHash(txid)));
}

test('what left the node goes while both are at the same block', async () => {
  const { mempool, removed } = createNotedMempool(kept, gone);
  expect(await openMempoolLook(node, mempool)(TIP, () => false)).toBe('whole');
  expect(removed).toEqual([toInternal(gone)]);
});

test('nothing goes when the node has a block that the index has not: the block may have mined it', async () => {
  answers.getbestblockhash = 'b'.repeat(64);
  const { mempool, removed } = createNotedMempool(kept, gone);
  expect(await openMempoolLook(node, mempool)(TIP, () => false)).toBe('partial');
  expect(removed).toEqual([]);
});

test('nothing goes while the node still reads its mempool after a start', async () => {
  answers.getmempoolinfo = { loaded: false };
  const { mempool, removed } = createNotedMempool(kept, gone);
  expect(await openMempoolLook(node, mempool)(TIP, () => false)).toBe('partial');
  expect(removed).toEqual([]);
});

test('a transaction that was listed and cannot be fetched any more leaves the round incomplete', async () => {
  // Something mined or replaced it meanwhile, and what that was is not known yet.
  answers.getrawmempool = [kept, gone];
  answers.getrawtransaction = null;
  const { mempool } = createNotedMempool(kept);
  expect(await openMempoolLook(node, mempool)(TIP, () => false)).toBe('partial');
});

test('a new block ends the comparison of a large mempool, before anything goes', async () => {
  answers.getrawmempool = Array.from({ length: 20_000 }, (_, i) => i.toString(16).padStart(64, '0'));
  const { mempool, removed } = createNotedMempool(kept, gone);
  let asked = 0;
  expect(await openMempoolLook(node, mempool)(TIP, () => ++asked > 1)).toBe('partial');
  expect(asked).toBe(2);
  expect([removed, fetched]).toEqual([[], []]);
});

test('with more than can be held, what is held stays, the rest waits for room, and nobody says it is all', async () => {
  const third = '3'.repeat(64);
  // The node lists by its own order: what came later may stand before what is held.
  answers.getrawmempool = [third, kept, gone];
  answers.getrawtransaction = third;
  const { mempool, held, removed } = createNotedMempool(kept, gone);
  const look = openMempoolLook(node, mempool, 2);
  expect(await look(TIP, () => false)).toBe('bounded');
  expect([...held, ...removed]).toEqual([kept, gone].map(toInternal));
  answers.getrawmempool = [third, kept];
  expect(await look(TIP, () => false)).toBe('whole');
  expect([...held]).toEqual([kept, third].map(toInternal));
  expect(removed).toEqual([gone].map(toInternal));
});

test('one that only an extension block has is fetched once for as long as the node lists it', async () => {
  const { mempool, held } = createNotedMempool(kept);
  const look = openMempoolLook(node, mempool);
  answers.getrawtransaction = HIDDEN_RAW;
  for (let looks = 0; looks < 3; looks++) {
    answers.getrawmempool = [kept, gone];
    expect(await look(TIP, () => false)).toBe('whole');
  }
  expect(fetched).toEqual([gone]);
  answers.getrawmempool = [kept];
  expect(await look(TIP, () => false)).toBe('whole');
  answers.getrawmempool = [kept, gone];
  expect(await look(TIP, () => false)).toBe('whole');
  expect(fetched).toEqual([gone, gone]);
  expect([...held]).toEqual([toInternal(kept)]);
});

test('with as many hidden ones as can be held there is still room for others', async () => {
  const [third, fourth] = ['3'.repeat(64), '4'.repeat(64)];
  const { mempool, held } = createNotedMempool(kept);
  const look = openMempoolLook(node, mempool, 2);
  answers.getrawmempool = [kept, gone, third];
  answers.getrawtransaction = HIDDEN_RAW;
  expect(await look(TIP, () => false)).toBe('bounded');
  expect(await look(TIP, () => false)).toBe('whole');
  answers.getrawmempool = [kept, gone, third, fourth];
  answers.getrawtransaction = fourth;
  expect(await look(TIP, () => false)).toBe('whole');
  expect([...held]).toEqual([kept, fourth].map(toInternal));
});
