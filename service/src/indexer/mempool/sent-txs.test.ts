import { setImmediate as nextTurn } from 'node:timers/promises';
import { bytesToHex, parseDisplayHash } from '@coinfront/protocol/bytes.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type FakeNode, sendResults, startFakeNode } from '../../../../test/harness/fake-node.ts';
import { createNodeClient, type NodeClient } from '../../node/rpc-client.ts';
import type { Mempool } from './mempool.ts';
import { openSentTxs } from './sent-txs.ts';

const TIP = 'a'.repeat(64);
const txidOf = (n: number) => n.toString(16).padStart(64, '0');

/** What the node's mempool has, by display txid; its raw transactions are their txids. */
let known: Set<string>;
let tip: string;
let asked: string[][];
let fake: FakeNode;
let node: NodeClient;

beforeEach(async () => {
  known = new Set();
  tip = TIP;
  asked = [];
  fake = await startFakeNode((response, request) => {
    if (Array.isArray(request.rpc)) asked.push(request.rpc.map(({ params }) => params[0] as string));
    sendResults(response, request, (method, [txid]) => {
      if (method === 'getbestblockhash') return tip;
      return known.has(txid as string) ? txid : 7;
    });
  });
  node = createNodeClient({ url: fake.url });
});
afterEach(async () => {
  await node.close();
  await fake.stop();
});

/** @param orphansAt how many are orphans of each admission; none when it is over */
function open({ mostTxs = 1_000, held = [] as string[], orphansAt = [] as number[] } = {}) {
  const has = new Set(held.map((txid) => bytesToHex(getValue(parseDisplayHash(txid)))));
  const admitted: string[][] = [];
  const mempool = {
    get size() {
      return has.size;
    },
    has: (txid: string) => has.has(txid),
    async admit(raws: readonly Uint8Array[]) {
      admitted.push(raws.map(bytesToHex));
      return orphansAt.shift() ?? 0;
    },
  } as Partial<Mempool> as Mempool;
  let rings = 0;
  const rung = Promise.withResolvers<void>();
  const sent = openSentTxs(
    node,
    mempool,
    () => {
      rings++;
      if (rings > 1) rung.resolve();
    },
    mostTxs,
  );
  return { sent, admitted, rings: () => rings, rungAgain: rung.promise };
}

test('what was named is admitted, unless the node has it no longer or the mempool has it already', async () => {
  const [first, second, gone, held] = [1, 2, 3, 4].map(txidOf) as [string, string, string, string];
  known = new Set([first, second, held]);
  const { sent, admitted, rings } = open({ held: [held] });
  for (const txid of [first, second, gone, held, 'no txid', first]) sent.add(txid);
  expect(rings()).toBeGreaterThan(0);
  await sent.admit(TIP);
  expect(asked).toEqual([[first, second, gone]]);
  expect(admitted).toEqual([[first, second]]);
  await sent.admit(TIP);
  expect(asked).toHaveLength(1);
});

test('nothing is admitted while the node is at another block, and all of it after', async () => {
  known.add(txidOf(1));
  const { sent, admitted } = open();
  sent.add(txidOf(1));
  tip = 'b'.repeat(64);
  await sent.admit(TIP);
  expect(admitted).toEqual([]);
  await sent.admit(tip);
  expect(admitted).toEqual([[txidOf(1)]]);
});

test('a child that is named before its parent is offered again', async () => {
  known = new Set([txidOf(1), txidOf(2)]);
  const { sent, admitted } = open({ orphansAt: [1, 0] });
  sent.add(txidOf(2));
  sent.add(txidOf(1));
  await sent.admit(TIP);
  expect(admitted).toHaveLength(2);
});

test('what comes right after an admission waits for the next, and rings for it', async () => {
  known = new Set([txidOf(1), txidOf(2)]);
  const { sent, admitted, rungAgain } = open();
  sent.add(txidOf(1));
  await sent.admit(TIP);
  sent.add(txidOf(2));
  await sent.admit(TIP);
  expect(admitted).toHaveLength(1);
  await rungAgain;
  await sent.admit(TIP);
  expect(admitted).toEqual([[txidOf(1)], [txidOf(2)]]);
});

test('a full mempool takes no more', async () => {
  known = new Set([txidOf(1), txidOf(2), txidOf(3)]);
  const { sent, admitted } = open({ held: [txidOf(9)], mostTxs: 3 });
  for (const n of [1, 2, 3]) sent.add(txidOf(n));
  await sent.admit(TIP);
  expect(admitted).toEqual([[txidOf(1), txidOf(2)]]);
});

test('however many are named, a bounded number is fetched at once and kept waiting', async () => {
  const { sent } = open();
  for (let n = 1; n <= 6_000; n++) sent.add(txidOf(n));
  const admitOnce = async (): Promise<void> => {
    await sent.admit(TIP);
    await nextTurn();
  };
  while (asked.flat().length < 5_000) await admitOnce();
  for (let more = 0; more < 10; more++) await admitOnce();
  expect(asked.every((txids) => txids.length <= 200)).toBe(true);
  expect(asked.flat()).toHaveLength(5_000);
});
