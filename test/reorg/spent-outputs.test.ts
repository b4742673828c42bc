import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import { parseSpentOutputs } from '@coinfront/protocol/spent-outputs.ts';
import { compactSizeBytes } from '@coinfront/protocol/writer.ts';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import type { DiskPace } from '../../service/src/indexer/disk/disk-pace.ts';
import { createPrevoutFinder } from '../../service/src/indexer/feed/find-prevouts.ts';
import { createBatchPreparer } from '../../service/src/indexer/feed/prepare-batch.ts';
import { readBlock, readSpent } from '../../service/src/indexer/feed/read-fetched.ts';
import { createSpentTrust, type SpentTrust } from '../../service/src/indexer/feed/spent-trust.ts';
import { createBlockSource } from '../../service/src/node/block-source.ts';
import { prefetchBlocks } from '../../service/src/node/prefetch-blocks.ts';
import { createNodeClient } from '../../service/src/node/rpc-client.ts';
import { coinbasePayouts } from '../../service/src/parts/chain/coinbase-payouts.ts';
import { sendJson, sendResults, startFakeNode } from '../harness/fake-node.ts';
import { compareDumps, dumpIndex, type IndexDump, nextSnapshot } from '../harness/index-dump.ts';
import { writeSpentAnswers } from '../harness/spent-answers.ts';
import { openTestIndexer, TEST_LIMITS } from '../harness/test-indexer.ts';
import { blockPlanArbitrary, buildBlock, type SyntheticBlock } from './synthetic-chain.ts';

/** The index of a node that says what blocks spend is that of one which does not, whatever it says. */

const BLOCKS = 60;
const slow: DiskPace = {
  isSlow: true,
  fetch: async () => {},
  takesSample: () => false,
  timed: (_, read) => read(),
  untimed: (read) => read(),
};
const chain: SyntheticBlock[] = [];
let answers: Uint8Array[];
let expected: IndexDump;

/** What the node says of the block of a height: bytes, or a status instead. */
type Say = (height: number) => Uint8Array | number;

/** Indexes the chain from a node that says this. */
async function build(say: Say) {
  const hashes = chain.map(({ fetched }) => toDisplayHash(fetched.hash));
  let asked = 0;
  const node = await startFakeNode((response, request) => {
    const [, , kind, hash] = /^(\/rest\/(\w+)\/)([0-9a-f]{64})\.bin$/.exec(request.path) ?? [];
    if (request.rpc !== undefined) sendResults(response, request, (_, [height]) => hashes[height as number]);
    else if (kind === 'block') response.end(chain[hashes.indexOf(hash!)]!.fetched.scan.raw);
    else if (kind === 'spenttxouts') {
      asked++;
      const said = say(hashes.indexOf(hash!));
      if (typeof said === 'number') response.writeHead(said).end();
      else response.end(said);
    } else sendJson(response, 200, {});
  });
  const client = createNodeClient({ url: node.url });
  const dataDir = await mkdtemp(join(tmpdir(), 'coinfront-spent-'));
  const indexer = await openTestIndexer(
    { kind: 'sqlite', dataDir },
    { parts: [coinbasePayouts], horizonBlocks: 10 },
  );
  const distrust: string[] = [];
  const trust = createSpentTrust(slow, (reason) => distrust.push(reason));
  let believed = 0;
  const counted: SpentTrust = Object.create(trust, {
    takesSample: {
      value: () => {
        const isSample = trust.takesSample();
        if (!isSample) believed++;
        return isSample;
      },
    },
  });
  try {
    const find = createPrevoutFinder(indexer.database, slow, counted);
    // It remembers next to nothing, so that nearly all is looked up.
    const preparer = createBatchPreparer({ ...TEST_LIMITS, recentTxs: 1, recentOutputs: 1 });
    const range = { fromHeight: 0, toHeight: BLOCKS - 1, asksForSpent: trust.wantsNext };
    for await (const fetched of prefetchBlocks(createBlockSource(client), range)) {
      const block = readBlock(fetched, false);
      const first = await indexer.index.findFirstOutput(block.height);
      preparer.add(block, first, readSpent(block, fetched, counted));
      await nextSnapshot();
      await preparer.resolve(find);
      const batch = preparer.take()!;
      await indexer.index.apply({ disconnectFrom: undefined, batch, nodeHeight: block.height });
    }
    return { dump: await dumpIndex(indexer.database), asked, believed, distrust };
  } finally {
    await indexer.close();
    await client.close();
    await node.stop();
    await rm(dataDir, { recursive: true });
  }
}

beforeAll(async () => {
  const plan = blockPlanArbitrary({ minLength: 20, maxLength: 30 });
  for (const [i, each] of fc.sample(plan, { numRuns: BLOCKS, seed: 19 }).entries()) {
    chain.push(buildBlock(chain.at(-1), each, i + 1));
  }
  answers = writeSpentAnswers(chain.map(({ fetched }) => fetched));
  const without = await build(() => 404);
  expect(without.believed).toBe(0);
  // Those that were under way when the first answer came, and none after it.
  expect(without.asked).toBeLessThanOrEqual(16);
  expected = without.dump;
});

test('what the node says is used, and the index has the same rows', async () => {
  const { dump, asked, believed, distrust } = await build((height) => answers[height]!);
  expect(compareDumps(dump, expected)).toEqual([]);
  expect(distrust).toEqual([]);
  expect(asked).toBe(BLOCKS);
  expect(believed).toBeGreaterThan(500);
});

test('a node that is busy now and then is asked again', async () => {
  const { dump, asked, believed, distrust } = await build((height) =>
    height % 3 === 0 ? 503 : answers[height]!,
  );
  expect(compareDumps(dump, expected)).toEqual([]);
  expect(distrust).toEqual([]);
  expect(asked).toBe(BLOCKS);
  expect(believed).toBeGreaterThan(300);
});

/** From this height on the answer is wrong: some outputs were believed before. */
const WRONG_FROM = 30;

test.each<[string, (height: number) => Uint8Array, RegExp]>([
  ['that is cut off', (height) => answers[height]!.slice(0, -1), /^block 30: .* at byte \d+$/],
  ['of another block', (height) => answers[height - 1]!, /^block 30: /],
  [
    'without any value',
    (height) => changeOutputs(height, ({ value }) => value.fill(0)),
    /^block 30: transaction \d+ pays more than it spends$/,
  ],
])('an answer %s is not used, nor any after it, and is told of', async (_, wrong, reason) => {
  const { dump, believed, distrust } = await build((height) =>
    height < WRONG_FROM ? answers[height]! : wrong(height),
  );
  expect(compareDumps(dump, expected)).toEqual([]);
  expect(believed).toBeGreaterThan(0);
  expect(distrust).toEqual([expect.stringMatching(reason)]);
});

test.each<[string, (output: SaidOutput) => void]>([
  // No check of sums finds more than was there.
  ['value', ({ value }) => value.fill(1, 7)],
  ['script', ({ script }) => script.fill(0xff, -1)],
])('outputs of another %s are found by comparing, before any is believed', async (_, change) => {
  const { dump, believed, distrust } = await build((height) => changeOutputs(height, change));
  expect(compareDumps(dump, expected)).toEqual([]);
  expect(believed).toBe(0);
  expect(distrust).toEqual([expect.stringMatching(/^block \d+: another/)]);
});

/** Bytes of one output in an answer: 8 of its value, and its script. */
type SaidOutput = { value: Uint8Array; script: Uint8Array };

/** The right answer with each output changed. */
function changeOutputs(height: number, change: (output: SaidOutput) => void): Uint8Array {
  const answer = answers[height]!.slice();
  const { scriptOffset, scriptLength } = getValue(parseSpentOutputs(answer));
  for (const [i, at] of scriptOffset.entries()) {
    const valueEnd = at - compactSizeBytes(scriptLength[i]!);
    change({
      value: answer.subarray(valueEnd - 8, valueEnd),
      script: answer.subarray(at, at + scriptLength[i]!),
    });
  }
  return answer;
}
