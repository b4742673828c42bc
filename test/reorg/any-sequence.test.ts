import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { runTable } from '../../service/src/indexer/runs/run-set.ts';
import { coinbasePayouts } from '../../service/src/parts/chain/coinbase-payouts.ts';
import { forEachEngine, type TestEngine } from '../harness/engines.ts';
import { auditIndex } from '../harness/index-audit.ts';
import { compareDumps, dumpIndex } from '../harness/index-dump.ts';
import { auditMempool } from '../harness/mempool-audit.ts';
import { openTestIndexer, type TestIndexer, type TestLimits } from '../harness/test-indexer.ts';
import {
  type BlockPlan,
  blockPlanArbitrary,
  buildBlock,
  chainOf,
  poisonBlock,
  type SyntheticBlock,
} from './synthetic-chain.ts';
import { syntheticPart, syntheticTables } from './synthetic-part.ts';

/** One thing that happens to an index. */
type Action =
  /** The best chain loses `back` blocks, at most those that the horizon allows, and gains blocks, in batches of some size. */
  | { kind: 'move'; back: number; blocks: readonly BlockPlan[]; batch: number }
  /** The best chain becomes again what it was before the last move. */
  | { kind: 'return'; batch: number }
  /** A block that cannot be connected comes as the last of a batch. */
  | { kind: 'fail'; back: number; blocks: readonly BlockPlan[] }
  /** Runs are merged. */
  | { kind: 'tidy' }
  | { kind: 'reopen' };

/** What the chain of a run is made of. */
type Scale = {
  first: fc.Arbitrary<BlockPlan[]>;
  blocks: fc.Arbitrary<BlockPlan[]>;
  horizonBlocks: number;
  /** Largest batch. */
  batch: number;
  limits: TestLimits;
};

/** All batches of a move share a transaction of the database. */
const NEVER_LARGE = { freshBytes: Number.POSITIVE_INFINITY, sharedMs: Number.POSITIVE_INFINITY };

const small = blockPlanArbitrary({ maxLength: 5 });
const few: Scale = {
  first: fc.array(small, { minLength: 1, maxLength: 12 }),
  blocks: fc.array(small, { minLength: 1, maxLength: 5 }),
  horizonBlocks: 6,
  batch: 4,
  limits: {
    recentTxs: 128,
    recentOutputs: 512,
    inputsAtOnce: 4,
    mergedAtOnce: 7,
    fileGraceMs: 60_000,
    threadEntries: 300_000,
    segmentBytes: 20_000,
    ...NEVER_LARGE,
  },
};
/** So little is remembered that nearly all that is spent is looked up, also within a batch; so each batch is committed. */
const forgetful: Scale = {
  ...few,
  limits: { ...few.limits, recentTxs: 4, recentOutputs: 8, freshBytes: 0 },
};
const large = blockPlanArbitrary({ minLength: 10, maxLength: 30 });
const many: Scale = {
  first: fc.array(large, { minLength: 30, maxLength: 40, size: 'max' }),
  blocks: fc.array(large, { minLength: 1, maxLength: 25, size: 'max' }),
  horizonBlocks: 30,
  batch: 12,
  // A move is committed in several parts.
  limits: {
    recentTxs: 512,
    recentOutputs: 2_048,
    inputsAtOnce: 100,
    freshBytes: 70_000,
    sharedMs: 1_000,
    mergedAtOnce: 1_000,
    fileGraceMs: 60_000,
    threadEntries: 300_000,
    segmentBytes: 20_000,
  },
};

const parts = [coinbasePayouts, syntheticPart];

forEachEngine('any sequence of connects and disconnects', (engine) => {
  const isEmbedded = engine.kind === 'sqlite';

  test('gives the index of a fresh sync, and one that is sound after every step', async () => {
    await checkProperty(engine, few, isEmbedded ? 50 : 8);
  });

  test('does so where little of it is remembered', async () => {
    await checkProperty(engine, forgetful, isEmbedded ? 30 : 6);
  });

  test('does so where transactions, keys and spends fill many pages', async () => {
    await checkProperty(engine, many, isEmbedded ? 3 : 1);
  });
});

async function checkProperty(engine: TestEngine, scale: Scale, numRuns: number): Promise<void> {
  const locations = [await engine.openUrl(), await engine.openUrl()] as const;
  const open: TestIndexer[] = [];
  onTestFinished(() => closeAll(open));
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(
      scale.first,
      fc.array(actionArbitrary(scale), { maxLength: 6 }),
      async (first, actions) => {
        await closeAll(open);
        // Another identity makes the tables anew, which is faster than another database.
        const options = { ...scale, parts, identity: `run ${++runs}` };
        const reopen = async (): Promise<TestIndexer> => {
          await closeAll(open);
          open[0] = await openTestIndexer(locations[0], options);
          return open[0];
        };
        const { indexer, tip } = await play(reopen, first, actions, scale);

        const fresh = await openTestIndexer(locations[1], options);
        open.push(fresh);
        await applyMove(fresh, undefined, tip, tip.fetched.height + 1);
        for (const { index } of [fresh, indexer]) await index.tidy(() => false);
        const dumping = { tables: syntheticTables, undoFrom: indexer.index.lowestFork + 1 };
        const expected = await dumpIndex(fresh.database, dumping);
        expect(compareDumps(await dumpIndex(indexer.database, dumping), expected)).toEqual([]);
      },
    ),
    // Bounds the search for a smaller counterexample, too.
    { numRuns, interruptAfterTimeLimit: 100_000, markInterruptAsFailure: true },
  );
}

function actionArbitrary({ horizonBlocks, blocks, batch }: Scale): fc.Arbitrary<Action> {
  const kind = <K extends string>(name: K) => fc.constant(name);
  const back = fc.nat(horizonBlocks);
  const size = fc.integer({ min: 1, max: batch });
  return fc.oneof(
    { weight: 4, arbitrary: fc.record({ kind: kind('move'), back, blocks, batch: size }) },
    { weight: 2, arbitrary: fc.record({ kind: kind('return'), batch: size }) },
    { weight: 1, arbitrary: fc.record({ kind: kind('fail'), back, blocks }) },
    { weight: 1, arbitrary: fc.record({ kind: kind('tidy') }) },
    { weight: 1, arbitrary: fc.record({ kind: kind('reopen') }) },
  );
}

/** Does one thing after another to an index, which is audited each time the chain has changed. */
async function play(
  reopen: () => Promise<TestIndexer>,
  first: readonly BlockPlan[],
  actions: readonly Action[],
  scale: Scale,
): Promise<{ indexer: TestIndexer; tip: SyntheticBlock }> {
  let salt = 0;
  const extend = (from: SyntheticBlock | undefined, plans: readonly BlockPlan[]): SyntheticBlock => {
    let tip = from;
    for (const plan of plans) tip = buildBlock(tip, plan, ++salt % 256);
    return tip!;
  };
  let indexer = await reopen();
  let tip = extend(undefined, first);
  let before: SyntheticBlock = tip;
  await applyMove(indexer, undefined, tip, 3);
  await expectSound(indexer);

  for (const action of actions) {
    if (action.kind === 'reopen') {
      indexer = await reopen();
      continue;
    }
    if (action.kind === 'tidy') {
      await indexer.index.tidy(() => false);
      await expectSound(indexer);
      continue;
    }
    const next = action.kind === 'return' ? before : extend(goBack(indexer, tip, action.back), action.blocks);
    if (!canMove(indexer, tip, next)) continue;
    if (action.kind === 'fail') {
      await failToMove(indexer, tip, next, scale.limits.freshBytes === Number.POSITIVE_INFINITY);
      continue;
    }
    await applyMove(indexer, tip, next, action.batch);
    [before, tip] = [tip, next];
    await expectSound(indexer);
  }
  return { indexer, tip };
}

async function expectSound({ database, readChain }: TestIndexer): Promise<void> {
  expect(await auditIndex(database, readChain)).toEqual([]);
  expect(await auditMempool(readChain)).toEqual([]);
}

/** Applies what leads from one tip to another as the follower does: in batches, the first of which also disconnects. */
async function applyMove(
  { index, prepare }: TestIndexer,
  from: SyntheticBlock | undefined,
  to: SyntheticBlock,
  size: number,
): Promise<void> {
  const { disconnectFrom, gained } = compareChains(from, to);
  if (from === to) return;
  for (let start = 0; start === 0 || start < gained.length; start += size) {
    await index.apply({
      disconnectFrom: start === 0 ? disconnectFrom : undefined,
      batch: await prepare(gained.slice(start, start + size).map(({ fetched }) => fetched)),
      nodeHeight: to.fetched.height,
      goesOn: start + size < gained.length,
    });
  }
}

/** Applies a move that fails in its last step: all that was not committed before is undone with it. */
async function failToMove(
  indexer: TestIndexer,
  tip: SyntheticBlock,
  next: SyntheticBlock,
  sharesTransaction: boolean,
): Promise<void> {
  const { index, writer } = indexer;
  const { disconnectFrom, gained } = compareChains(tip, next);
  const dumping = { tables: syntheticTables };
  const before = await dumpIndex(indexer.database, dumping);
  const blocks = gained.map(({ fetched }) => fetched);
  await expect(indexer.prepare([...blocks.slice(0, -1), poisonBlock(gained.at(-1)!)])).rejects.toMatchObject({
    name: 'UnknownPrevoutError',
  });
  // So far below the node's tip nothing but its size ends a transaction.
  const nodeHeight = next.fetched.height + 1_000;
  const goesOn = sharesTransaction && blocks.length > 1;
  if (goesOn) {
    const batch = await indexer.prepare(blocks.splice(0, blocks.length - 1));
    await index.apply({ disconnectFrom, batch, nodeHeight, goesOn });
    expect(index.state.height).toBe(next.fetched.height - 1);
  }
  const batch = await indexer.prepare(blocks);
  const { insert } = writer;
  writer.insert = async (table, ...rest) => {
    if (table === runTable) throw new Error('told to fail');
    await insert(table, ...rest);
  };
  const failing = index.apply({ disconnectFrom: goesOn ? undefined : disconnectFrom, batch, nodeHeight });
  await expect(failing).rejects.toThrow('told to fail');
  writer.insert = insert;
  expect(compareDumps(await dumpIndex(indexer.database, dumping), before)).toEqual([]);
  expect(index.state.height).toBe(tip.fetched.height);
}

function compareChains(from: SyntheticBlock | undefined, to: SyntheticBlock) {
  const lost = chainOf(from);
  const gained = chainOf(to);
  let shared = 0;
  while (shared < lost.length && lost[shared] === gained[shared]) shared++;
  return { disconnectFrom: shared < lost.length ? shared : undefined, gained: gained.slice(shared) };
}

function canMove({ index }: TestIndexer, from: SyntheticBlock | undefined, to: SyntheticBlock): boolean {
  const { disconnectFrom } = compareChains(from, to);
  return disconnectFrom === undefined || disconnectFrom > index.lowestFork;
}

/** The block so far below, or the lowest that the index can go back to. */
function goBack({ index }: TestIndexer, tip: SyntheticBlock, back: number): SyntheticBlock {
  const height = Math.max(tip.fetched.height - back, index.lowestFork, 0);
  return chainOf(tip)[height]!;
}

async function closeAll(indexers: TestIndexer[]): Promise<void> {
  for (const indexer of indexers.splice(0)) await indexer.close();
}
