import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPostgresTables, type PostgresTables } from '../../../../test/harness/postgres-tables.ts';
import type { Reader, Writer } from '../../db/database.ts';
import { viewOf } from '../encoding/copy-entry.ts';
import { chainTables, runPageTables } from '../layout.ts';
import { createFreshEntries } from './fresh-entries.ts';
import { listCoins } from './read-coins.ts';
import { listChanges, sumScript } from './read-history.ts';
import { historyRuns, spendRuns, txRuns } from './run-kinds.ts';
import { openRunStore, type RunStore } from './run-store.ts';
import { createRunSetReader } from './runs-version.ts';

/** Runs in tables. A hub has so many entries that they fill hundreds of pages of one run. */

const OUTPUTS = 60_000;
/** Between other scripts whose keys begin as its own does, so that their pages follow one another, too. */
const hub = keyOf('hub', 1);
const neighbours = [keyOf('below', 0), keyOf('above', 2)];

let opened: PostgresTables;
let writer: Writer;
let store: RunStore;
let reads = 0;
let counting: Reader;

function keyOf(text: string, order: number): Uint8Array {
  const key = createHash('sha256').update(text).digest().subarray(0, 16);
  key.set([7, 7, 7, 7, order]);
  return new Uint8Array(key);
}

beforeAll(async () => {
  opened = await openPostgresTables([...chainTables, ...runPageTables]);
  ({ writer } = opened);
  const options = {
    horizonBlocks: 1,
    fileGraceMs: 0,
    threadEntries: Number.POSITIVE_INFINITY,
    segmentBytes: 0,
  };
  store = await openRunStore(writer, options);
  const fresh = createFreshEntries();
  for (let output = 0; output < OUTPUTS; output++) {
    const key = output % 20 === 0 ? neighbours[(output / 20) % 2]! : hub;
    fresh.addChange(viewOf(key), 0, output, false, 1_000, 0);
    fresh.addCoin(viewOf(key), 0, output, false);
  }
  await writer.begin();
  await store.write(fresh, {
    firstHeight: 0,
    lastHeight: 0,
    firstOutput: 0,
    endOutput: OUTPUTS,
    txs: OUTPUTS,
  });
  await writer.commit();
  counting = {
    ...writer,
    get: (...args) => {
      reads += 1;
      return writer.get(...args);
    },
  };
});
afterAll(() => opened.close());

async function countReads<T>(read: () => Promise<T>): Promise<{ answer: T; reads: number }> {
  reads = 0;
  const answer = await read();
  return { answer, reads };
}

test('the totals of a script with hundreds of pages are found in two reads', async () => {
  for (const key of neighbours) {
    expect(await sumScript(counting, store.set, key)).toMatchObject({
      txs: OUTPUTS / 40,
      funded: OUTPUTS / 40,
    });
  }
  const { answer, reads } = await countReads(() => sumScript(counting, store.set, hub));
  expect(answer).toMatchObject({ txs: 57_000, funded: 57_000, spent: 0, fundedSum: 57_000_000n });
  expect(reads).toBe(2);
});

test('a page of its history, and of its coins, is found in two reads from wherever it begins', async () => {
  for (const from of [1, 77, 20_001, 39_999, OUTPUTS - 3]) {
    const changes = await countReads(() => listChanges(counting, store.set, hub, from + 1, 1));
    expect(changes.answer.map(({ txId }) => txId)).toEqual([from]);
    const coins = await countReads(() => listCoins(counting, store.set, hub, from - 1, 1));
    expect(coins.answer).toEqual([from]);
    for (const { reads } of [changes, coins]) expect(reads).toBeLessThanOrEqual(2);
  }
});

test('of readers that come at once one loads the filters, for all of them', async () => {
  let loads = 0;
  const reader: Reader = {
    ...writer,
    all: (statement, ...rest) => {
      if (statement.text.includes('run_filter')) loads += 1;
      return writer.all(statement, ...rest);
    },
  };
  const choice = { kinds: [txRuns, spendRuns, historyRuns], bytes: 1 << 30 };
  await createRunSetReader(choice)(reader, true);
  const loadsOfOne = loads;
  expect(loadsOfOne).toBeGreaterThan(0);
  loads = 0;
  const readRuns = createRunSetReader(choice);
  const sets = await Promise.all(Array.from({ length: 6 }, () => readRuns(reader, true)));
  expect(loads).toBe(loadsOfOne);
  expect(new Set(sets).size).toBe(1);
  expect(sets[0]!.filters.get(store.set.runs[0]!.id)?.find(historyRuns)).toBeDefined();
});

test('where one reader fails to load the filters, those that came with it load them', async () => {
  const choice = { kinds: [txRuns, spendRuns, historyRuns], bytes: 1 << 30 };
  const readRuns = createRunSetReader(choice);
  const failing: Reader = { ...writer, all: () => Promise.reject(new Error('the connection was lost')) };
  const [failed, ...others] = await Promise.allSettled(
    [failing, writer, writer].map((reader) => readRuns(reader, true)),
  );
  expect(failed).toMatchObject({ status: 'rejected', reason: { message: 'the connection was lost' } });
  for (const other of others) {
    expect(other.status).toBe('fulfilled');
    expect(other).toMatchObject({ value: { runs: [{ txs: OUTPUTS }] } });
  }
});
