import { bytesToHex, toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BlockFeed, startBlockFeed } from '../../service/src/indexer/feed/block-feed.ts';
import { previousHash } from '../../service/src/indexer/feed/fetched-block.ts';
import { COINBASE_INPUT, type PreparedBatch } from '../../service/src/indexer/feed/prepare-batch.ts';
import { forEachEngine } from '../harness/engines.ts';
import { compareDumps, dumpIndex } from '../harness/index-dump.ts';
import { startNode, type TestNode } from '../harness/litecoind.ts';
import { catchUp, openTestIndexer, type TestIndexer, toServiceLocation } from '../harness/test-indexer.ts';

/** The thread that prepares blocks, beside a real node whose wallet spends what it was paid a few blocks before. */

const HEIGHT = 130;
const ANY = { bytes: 1, txs: 1 };
const NEVER = { bytes: Number.POSITIVE_INFINITY, txs: Number.POSITIVE_INFINITY };

let node: TestNode;

beforeAll(async () => {
  node = await startNode();
  await node.mine(105, await node.newAddress());
  while ((await node.rpc<number>('getblockcount')) < HEIGHT) {
    for (let i = 0; i < 3; i++) await node.rpc('sendtoaddress', await node.newAddress(), '0.5');
    await node.mine(1);
  }
});

afterAll(() => node.stop());

/** The outpoint of each input and of each output, by the number the preparation gives them. */
function listOutpoints(batches: readonly PreparedBatch[]) {
  const outputs = new Map<number, string>();
  const spent: { outpoint: string; number: number }[] = [];
  for (const { blocks, firstOutput, spentOutput } of batches) {
    let output = firstOutput;
    let input = 0;
    for (const { scan } of blocks) {
      const outpoint = new DataView(scan.raw.buffer, scan.raw.byteOffset);
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

/** The outpoint of an input, as its block has it. */
function outpointAt({ blocks }: PreparedBatch, input: number): Uint8Array<ArrayBuffer> {
  let left = input;
  for (const { scan } of blocks) {
    const at = scan.outpointOffset[left];
    if (left < scan.inputCount) return new Uint8Array(scan.raw.subarray(at, at! + 36));
    left -= scan.inputCount;
  }
  throw new RangeError(`there is no input ${input}`);
}

/** Every input of `batches` spends the output that its number says; `chain` has the outputs of the blocks below as well. */
function expectRightPrevouts(batches: readonly PreparedBatch[], chain: readonly PreparedBatch[]): number {
  const { outputs } = listOutpoints(chain);
  const { spent } = listOutpoints(batches);
  let known = 0;
  for (const { outpoint, number } of spent) {
    if (number === COINBASE_INPUT) expect(outpoint).toMatch(/^0{64}:/);
    else {
      expect(outputs.get(number)).toBe(outpoint);
      known++;
    }
  }
  return known;
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

forEachEngine('the feed of blocks', (engine) => {
  let feed: BlockFeed;
  let indexer: TestIndexer;
  /** The whole chain, as it is prepared. */
  let chain: PreparedBatch[];

  beforeAll(async () => {
    const location = await engine.openUrl();
    indexer = await openTestIndexer(location);
    await catchUp(node.client, indexer);
    const database = toServiceLocation(location);
    feed = startBlockFeed({ nodeUrl: node.url, cookieFile: undefined, auxpow: false, database });
    chain = await takeAll(0, HEIGHT);
  });
  afterAll(async () => {
    await feed.close();
    await indexer.close();
  });

  async function takeAll(fromHeight: number, toHeight: number, limits = { least: ANY, most: NEVER }) {
    const batches: PreparedBatch[] = [];
    const firstOutput = await indexer.index.findFirstOutput(fromHeight);
    const range = { fromHeight, toHeight, firstOutput, ...limits };
    for await (const batch of feed.batches(range)) batches.push(batch);
    return batches;
  }

  test('all blocks of a range come in order, and what their inputs spend is found within it', async () => {
    await expectChain(chain, 0, HEIGHT);
    expect(expectRightPrevouts(chain, chain)).toBeGreaterThan(50);
  });

  test('a range that goes on from the last, and one that does not, know what is spent of the blocks below', async () => {
    await takeAll(0, 115);
    const second = await takeAll(116, HEIGHT);
    await expectChain(second, 116, HEIGHT);
    expect(second[0]!.firstOutput).toBe(await indexer.index.findFirstOutput(116));
    expect(expectRightPrevouts(second, chain)).toBeGreaterThan(30);

    const again = await takeAll(116, HEIGHT);
    expect(listOutpoints(again)).toEqual(listOutpoints(second));
  });

  test('whoever leaves in the middle leaves nothing behind', async () => {
    const range = { fromHeight: 0, toHeight: HEIGHT, firstOutput: 0, least: ANY, most: ANY };
    for await (const { blocks } of feed.batches(range)) {
      if (blocks.at(-1)!.height >= 110) break;
    }
    const batches = await takeAll(100, HEIGHT);
    await expectChain(batches, 100, HEIGHT);
    expectRightPrevouts(batches, chain);
  });

  test('what the mempool has looked up is not looked up again, until blocks come from below it', async () => {
    const fromHeight = 125;
    await takeAll(0, 50);
    const [plain] = await takeAll(fromHeight, HEIGHT);
    const { firstOutput, spentOutput, spentValue, spentKeys } = plain!;
    const input = spentOutput.findIndex((output) => output !== COINBASE_INPUT && output < firstOutput);
    const marked = spentValue[input]! + 1n;

    await takeAll(0, 50);
    feed.foresee({
      outpoints: outpointAt(plain!, input),
      outputIds: spentOutput.slice(input, input + 1),
      values: BigInt64Array.of(marked),
      keys: spentKeys.slice(input * 16, input * 16 + 16),
    });
    const [foreseen] = await takeAll(fromHeight, HEIGHT);
    expect(foreseen!.spentValue).toEqual(spentValue.with(input, marked));
    expect(foreseen!.spentOutput).toEqual(spentOutput);

    await takeAll(0, 50);
    const [after] = await takeAll(fromHeight, HEIGHT);
    expect(after!.spentValue).toEqual(spentValue);
  });

  test('batches grow while one is used, never beyond their limit', async () => {
    const most = { bytes: Number.POSITIVE_INFINITY, txs: 20 };
    const batches = await takeAll(0, HEIGHT, { least: most, most });
    await expectChain(batches, 0, HEIGHT);
    const countTxs = (blocks: PreparedBatch['blocks']): number =>
      blocks.reduce((sum, { scan }) => sum + scan.txCount, 0);
    for (const { blocks } of batches) expect(countTxs(blocks.slice(0, -1))).toBeLessThan(20);
    for (const { blocks } of batches.slice(0, -1)) expect(countTxs(blocks)).toBeGreaterThanOrEqual(20);
    expect(batches.length).toBeGreaterThan(5);
  });

  test('the last of the blocks that it is to remember come as if they were new, and a range goes on from them', async () => {
    const batches: PreparedBatch[] = [];
    for await (const batch of feed.remember(await rememberedUntil(120))) batches.push(batch);
    const first = batches[0]!.blocks[0]!.height;
    expect(first).toBeGreaterThan(100);
    await expectChain(batches, first, 120);
    expect(batches[0]!.firstOutput).toBe(await indexer.index.findFirstOutput(first));
    expect(expectRightPrevouts(batches, chain)).toBeGreaterThan(10);
    await expectGoesOnFrom(120);
  });

  test('rehearsing blocks leaves the index as it is', async () => {
    const { index, database } = indexer;
    const before = await dumpIndex(database);
    const { state } = index;
    const totals = structuredClone(state.totals);
    let rehearsed = 0;
    for await (const batch of feed.remember(await rememberedUntil(HEIGHT))) {
      index.rehearse(batch);
      rehearsed += batch.blocks.length;
    }
    expect(rehearsed).toBeGreaterThan(0);
    expect(index.state).toBe(state);
    expect(index.state.totals).toEqual(totals);
    await index.commit();
    expect(compareDumps(await dumpIndex(database), before)).toEqual([]);
  });

  test('a range ends what is remembered, wherever it is, and goes on from it', async () => {
    const remembered = feed.remember(await rememberedUntil(120));
    await remembered.next();
    const next = remembered.next();
    await expectGoesOnFrom(120);
    // It may have come before the range was asked for.
    if (!(await next).done) expect((await remembered.next()).done).toBe(true);
  });

  async function rememberedUntil(toHeight: number) {
    return { fromHeight: 100, toHeight, firstOutput: await indexer.index.findFirstOutput(100) };
  }

  async function expectGoesOnFrom(height: number): Promise<void> {
    const next = await takeAll(height + 1, HEIGHT);
    await expectChain(next, height + 1, HEIGHT);
    expect(next[0]!.firstOutput).toBe(await indexer.index.findFirstOutput(height + 1));
    expectRightPrevouts(next, chain);
  }

  test('heights that the node does not have are an error, after which the feed goes on', async () => {
    await expect(takeAll(HEIGHT, HEIGHT + 5)).rejects.toMatchObject({ name: 'NodeError' });
    await expectChain(await takeAll(1, 20), 1, 20);
  });
});
