import { expect, test } from 'vitest';
import type { Reader } from '../../db/database.ts';
import type { NodeClient } from '../../node/rpc-client.ts';
import { compareWithNode } from './find-fork.ts';

const OURS = 'ab'.repeat(32);
const rules = { genesisHash: '00'.repeat(32), horizonBlocks: 100 };
const end = { height: 6, lowestFork: 0 };
const forkHash = Buffer.from(OURS, 'hex').reverse();
const reader = { get: async () => ({ hash: forkHash }) } as unknown as Reader;
/** Has the block of ours at each height, and counts how often it is asked. */
const openNode = () => {
  const node = { asked: 0 };
  const batch: NodeClient['batch'] = async (calls) => {
    node.asked++;
    return calls.map(() => ({ ok: true, value: OURS }));
  };
  return Object.assign(node, { client: { batch } as unknown as NodeClient });
};

test('a tip that follows ours by its header is followed without a question to the node', async () => {
  const node = openNode();
  const tip = { height: 7, hash: 'cd'.repeat(32), previousHash: OURS };
  const relation = await compareWithNode(node.client, reader, end, tip, rules);
  expect(relation).toEqual({ kind: 'follow', forkHeight: 6, forkHash });
  expect(node.asked).toBe(0);
});

test.each([
  ['follows another block', { height: 7, previousHash: 'ef'.repeat(32) }],
  ['is further above', { height: 8, previousHash: OURS }],
])('where the tip %s the node is asked where both part', async (_, place) => {
  const node = openNode();
  const relation = await compareWithNode(
    node.client,
    reader,
    end,
    { hash: 'cd'.repeat(32), ...place },
    rules,
  );
  expect(relation).toEqual({ kind: 'follow', forkHeight: 6, forkHash });
  expect(node.asked).toBe(1);
});
