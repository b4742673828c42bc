import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BlockLog, type BlockLogWriter, createBlockLog, openBlockLog } from './block-log.ts';
import { GENESIS, hashHeader } from './genesis.ts';
import { createBlockMaker } from './make-blocks.ts';
import { MIXES, type MixName } from './mixes.ts';
import { GENESIS_SPENT } from './spent-answer.ts';

/**
 * What a chain is made from. With `sparse` only one block in ten is kept, and those at the end; with `spentOutputs` what the
 * kept ones spend is kept, too.
 */
export type ChainPlan = {
  mix: MixName;
  seed: number;
  transactions: number;
  sparse?: boolean;
  spentOutputs?: boolean;
};

/** A chain on disk; `height` is the first at which it has the transactions that were asked for. */
export type LongChain = { dir: string; log: BlockLog; height: number };

/** Where in the folder of a chain lies what its blocks spend, as a log of its own. */
export const SPENT_FOLDER = 'spent';

/** Blocks beyond the height that is measured: they are mined one by one later. */
export const SPARE_BLOCKS = 60;

const SPARSE_EVERY = 10;
/** What is mined, and replaced, at the end of a sparse chain is kept whole. */
const SPARSE_END_BLOCKS = 1_200;

/** Raised when the same mix and seed give another chain than before. */
const FORMAT = 1;
const REPORT_EVERY_MS = 5_000;

/**
 * The chain of a mix and a seed, kept in a folder of its own under `dir`. A longer one serves for a shorter one; a shorter
 * one is made anew, and so is a sparse one of another length, and one of which it is not known what it spends.
 */
export function ensureLongChain(plan: ChainPlan, dir: string, report: (line: string) => void): LongChain {
  const kind = plan.sparse ? `-sparse-${plan.transactions}` : '';
  const own = join(dir, `chain-${plan.mix}-${plan.seed}${kind}-v${FORMAT}`);
  return findChain(plan, own) ?? makeChain(plan, own, report);
}

/** Lowest height at which the chain has so many transactions; undefined when it never has. */
export function findHeightOf(log: BlockLog, transactions: number): number | undefined {
  if (log.transactionsTo(log.lastHeight) < transactions) return undefined;
  let [low, high] = [log.firstHeight, log.lastHeight];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (log.transactionsTo(middle) >= transactions) high = middle;
    else low = middle + 1;
  }
  return low;
}

function findChain({ transactions, spentOutputs }: ChainPlan, dir: string): LongChain | undefined {
  if (!existsSync(join(dir, 'whole'))) return undefined;
  if (spentOutputs && !existsSync(join(dir, SPENT_FOLDER))) return undefined;
  const log = openBlockLog(dir, 0);
  const height = findHeightOf(log, transactions);
  if (height !== undefined && height + SPARE_BLOCKS <= log.lastHeight) return { dir, log, height };
  log.close();
  return undefined;
}

function makeChain(
  { mix, seed, transactions, sparse, spentOutputs }: ChainPlan,
  dir: string,
  report: (line: string) => void,
): LongChain {
  rmSync(dir, { recursive: true, force: true });
  mkdirSync(dir, { recursive: true });
  const log = createBlockLog(dir);
  const genesis = { hash: hashHeader(GENESIS), transactions: 1 };
  log.append({ ...genesis, bytes: GENESIS });
  const spentLog = spentOutputs ? createSpentLog(dir) : undefined;
  spentLog?.append({ ...genesis, bytes: GENESIS_SPENT });
  const maker = createBlockMaker(MIXES[mix], seed);
  const wholeFrom = transactions - SPARSE_END_BLOCKS * (MIXES[mix].spends[1] + 1);
  const startedAt = performance.now();
  let reportedAt = startedAt;
  let made = 1;
  let height = 0;
  let spare = 0;
  while (spare < SPARE_BLOCKS) {
    if (made >= transactions) spare += 1;
    const block = maker.next();
    const keep = !sparse || block.height % SPARSE_EVERY === 0 || made >= wholeFrom;
    log.append(block, keep);
    spentLog?.append({ ...block, bytes: block.spent }, keep);
    made += block.transactions;
    if (made >= transactions && height === 0) height = block.height;
    const now = performance.now();
    if (now - reportedAt > REPORT_EVERY_MS || spare === SPARE_BLOCKS) {
      reportedAt = now;
      const perSecond = Math.round((made * 1_000) / (now - startedAt)).toLocaleString('en');
      report(`chain: ${made.toLocaleString('en')} transactions at height ${block.height}, ${perSecond} tx/s`);
    }
  }
  log.close();
  spentLog?.close();
  writeFileSync(join(dir, 'whole'), '');
  return { dir, log: openBlockLog(dir, 0), height };
}

function createSpentLog(dir: string): BlockLogWriter {
  mkdirSync(join(dir, SPENT_FOLDER));
  return createBlockLog(join(dir, SPENT_FOLDER));
}
