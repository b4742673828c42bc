import { bytesToHex, toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BlockFeed, startBlockFeed } from '../../service/src/indexer/block-feed.ts';
import { previousHash } from '../../service/src/indexer/fetched-block.ts';
import {
  COINBASE_INPUT,
  type PreparedBatch,
  UNKNOWN_PREVOUT,
} from '../../service/src/indexer/prepare-batch.ts';
import { startNode, type TestNode } from '../harness/litecoind.ts';

/** The thread that prepares blocks, beside a real node whose wallet spends what it was paid a few blocks before. */

const HEIGHT = 130;
const ANY = { bytes: 1, txs: 1 };
const NEVER = { bytes: Number.POSITIVE_INFINITY, txs: Number.POSITIVE_INFINITY };

let node: TestNode;
let feed: BlockFeed;

beforeAll(async () => {
  node = await startNode();
  await node.mine(105, await node.newAddress());
  while ((await node.rpc<number>('getblockcount')) < HEIGHT) {
    for (let i = 0; i < 3; i++) await node.rpc('sendtoaddress', await node.newAddress(), '0.5');
    await node.mine(1);
  }
  feed = startBlockFeed({ nodeUrl: node.url, cookieFile: undefined, auxpow: false });
});

afterAll(async () => {
  await feed.close();
  await node.stop();
});

async function takeAll(fromHeight: number, toHeight: number, limits = { least: ANY, most: NEVER }) {
  const batches: PreparedBatch[] = [];
  for await (const batch of feed.batches({ fromHeight, toHeight, ...limits })) batches.push(batch);
  return batches;
}

/** The outpoint of each input and of each output, by the number the preparation gives them. */
function listOutpoints(batches: readonly PreparedBatch[]) {
  const outputs = new Map<number, string>();
  const spent: { outpoint: string; number: number }[] = [];
  for (const { blocks, firstOutput, spentOutput } of batches) {
    let output = firstOutput;
    let input = 0;
    for (const { scan } of blocks) {
      const outpoint = new DataView(scan.raw.buffer);
      for (let t = 0; t < scan.txCount; t++) {
        for (let i = scan.inputStart[t]!; i < scan.inputStart[t + 1]!; i++, input++) {
          const at = scan.outpointOffset[i]!;
          const txid = bytesToHex(scan.raw.subarray(at, at + 32));
          spent.push({
            outpoint: `${txid}:${outpoint.getUint32(at + 32, true)}`,
            number: spentOutput[input]!,
          });
        }
        const txid = bytesToHex(scan.txid.subarray(t * 32, t * 32 + 32));
        for (let vout = 0; vout < scan.outputStart[t + 1]! - scan.outputStart[t]!; vout++) {
          outputs.set(output++, `${txid}:${vout}`);
        }
      }
    }
    expect(input).toBe(spentOutput.length);
  }
  return { outputs, spent };
}

function expectRightPrevouts(batches: readonly PreparedBatch[]): { known: number; unknown: number } {
  const { outputs, spent } = listOutpoints(batches);
  const count = { known: 0, unknown: 0 };
  for (const { outpoint, number } of spent) {
    if (number === COINBASE_INPUT) expect(outpoint).toMatch(/^0{64}:/);
    else if (number === UNKNOWN_PREVOUT) count.unknown++;
    else {
      expect(outputs.get(number)).toBe(outpoint);
      count.known++;
    }
  }
  return count;
}

async function expectChain(batches: readonly PreparedBatch[], fromHeight: number, toHeight: number) {
  const blocks = batches.flatMap((batch) => batch.blocks);
  expect(blocks.map(({ height }) => height)).toEqual(
    Array.from({ length: toHeight - fromHeight + 1 }, (_, i) => fromHeight + i),
  );
  for (const [i, block] of blocks.entries()) {
    if (i > 0) expect(bytesToHex(previousHash(block))).toBe(bytesToHex(blocks[i - 1]!.hash));
    expect(toDisplayHash(block.hash)).toBe(await node.rpc('getblockhash', block.height));
  }
}

test('all blocks of a range come in order, and what their inputs spend is found within it', async () => {
  const batches = await takeAll(0, HEIGHT);
  await expectChain(batches, 0, HEIGHT);
  const { known, unknown } = expectRightPrevouts(batches);
  expect(known).toBeGreaterThan(50);
  expect(unknown).toBe(0);
});

test('a range that goes on from the last remembers it; one that does not begins anew', async () => {
  const first = await takeAll(0, 115);
  const second = await takeAll(116, HEIGHT);
  await expectChain(second, 116, HEIGHT);
  expect(expectRightPrevouts([...first, ...second]).unknown).toBe(0);

  const again = await takeAll(116, HEIGHT);
  expect(again[0]!.firstOutput).toBe(0);
  expect(expectRightPrevouts(again).unknown).toBeGreaterThan(0);
});

test('whoever leaves in the middle leaves nothing behind', async () => {
  for await (const { blocks } of feed.batches({ fromHeight: 0, toHeight: HEIGHT, least: ANY, most: ANY })) {
    if (blocks.at(-1)!.height >= 110) break;
  }
  const batches = await takeAll(100, HEIGHT);
  await expectChain(batches, 100, HEIGHT);
  expect(batches[0]!.firstOutput).toBe(0);
  expectRightPrevouts(batches);
});

test('batches grow while one is used, never beyond their limit', async () => {
  const most = { bytes: Number.POSITIVE_INFINITY, txs: 20 };
  const batches = await takeAll(0, HEIGHT, { least: most, most });
  await expectChain(batches, 0, HEIGHT);
  for (const { txKey, blocks } of batches) {
    expect(txKey.length - blocks.at(-1)!.scan.txCount).toBeLessThan(20);
  }
  for (const { txKey } of batches.slice(0, -1)) expect(txKey.length).toBeGreaterThanOrEqual(20);
  expect(batches.length).toBeGreaterThan(5);
});

test('heights that the node does not have are an error, after which the feed goes on', async () => {
  await expect(takeAll(HEIGHT, HEIGHT + 5)).rejects.toMatchObject({ name: 'NodeError' });
  await expectChain(await takeAll(1, 20), 1, 20);
});
