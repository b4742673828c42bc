import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitUntil } from '../../../../test/harness/litecoind.ts';
import type { Database, Writer } from '../../db/database.ts';
import { openDatabase } from '../../db/open.ts';
import { ensureTables } from '../../db/tables.ts';
import { viewOf } from '../encoding/copy-entry.ts';
import { txSegmentTable } from '../tx-log/segments.ts';
import { createFreshEntries } from './fresh-entries.ts';
import { listCoins } from './read-coins.ts';
import { findFirstTx, listChanges, sumScript } from './read-history.ts';
import { findSpenders } from './read-spends.ts';
import { findManyTxIds, findTxIds } from './read-txs.ts';
import type { RunFile } from './run-file.ts';
import { type RunSet, runTable } from './run-set.ts';
import { openRunStore, type RunStore } from './run-store.ts';

/** Runs on a real database against lists that are searched from end to end. */

const OPTIONS = {
  horizonBlocks: 1,
  fileGraceMs: 0,
  threadEntries: Number.POSITIVE_INFINITY,
  segmentBytes: 10_000,
};

let folder: string;
let database: Database;
let writer: Writer;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coinfront-runs-'));
  database = await openDatabase({ kind: 'sqlite', file: join(folder, 'runs.db') });
  writer = await database.openWriter({ cacheMb: 16 });
});
afterAll(async () => {
  await writer.close();
  await database.close();
  await rm(folder, { recursive: true });
});

type Tx = { id: number; txid: Uint8Array; deltas: Map<number, bigint> };
type Output = { script: number; value: bigint; spender: number | undefined };
/** `blocks`: the number of the first output of each. */
type Model = { txs: Tx[]; outputs: Output[]; blocks: number[] };

const emptyModel = (): Model => ({ txs: [], outputs: [], blocks: [] });

const SCRIPTS = 6;
const keys = Array.from({ length: SCRIPTS }, (_, i) => hash(`script ${i}`).subarray(0, 16));

function hash(text: string): Uint8Array {
  return new Uint8Array(createHash('sha256').update(text).digest());
}

/** A stretch of the chain that becomes one run: transactions with so many outputs, and how often an earlier one is spent. */
const stretchArbitrary = fc.record({
  txs: fc.integer({ min: 1, max: 250 }),
  /** The first script is paid by so many of hundred outputs. */
  hub: fc.nat(100),
  /** Of hundred transactions that many spend the oldest unspent output, and as many a random one. */
  oldest: fc.nat(100),
  random: fc.nat(100),
  outputs: fc.integer({ min: 1, max: 12 }),
  seed: fc.nat(1_000_000),
});
type Stretch = typeof stretchArbitrary extends fc.Arbitrary<infer T> ? T : never;

function createRandom(seed: number): (below: number) => number {
  let state = seed * 2_654_435_761 + 1;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Plays a stretch on the model as its next block, and writes it as a run. */
async function playStretch(model: Model, store: RunStore, stretch: Stretch): Promise<void> {
  const fresh = createFreshEntries();
  const random = createRandom(stretch.seed);
  const { outputs, blocks } = model;
  const height = blocks.push(outputs.length) - 1;
  const firstOutput = outputs.length;
  const halves = (value: bigint): [number, number] => [Number(value & 0xffffffffn), Number(value >> 32n)];
  for (let t = 0; t < stretch.txs; t++) {
    const id = outputs.length;
    const tx: Tx = { id, txid: hash(`tx ${id} ${stretch.seed}`), deltas: new Map() };
    const spend = (outputId: number): void => {
      const output = outputs[outputId]!;
      if (output.spender !== undefined) return;
      output.spender = id;
      tx.deltas.set(output.script, (tx.deltas.get(output.script) ?? 0n) - output.value);
      fresh.addSpend(outputId, id);
      fresh.addChange(viewOf(keys[output.script]!), 0, id, true, ...halves(output.value));
      fresh.addCoin(viewOf(keys[output.script]!), 0, outputId, true);
    };
    if (random(100) < stretch.oldest) {
      for (let i = 0; i < 5; i++) {
        const oldest = outputs.findIndex(({ spender }) => spender === undefined);
        if (oldest >= 0) spend(oldest);
      }
    }
    if (outputs.length > 0 && random(100) < stretch.random) spend(random(outputs.length));
    fresh.addTx(viewOf(tx.txid), 0, id);
    for (let o = random(stretch.outputs); o >= 0; o--) {
      const script = random(100) < stretch.hub ? 0 : random(SCRIPTS);
      const value = BigInt(random(1_000_000)) * BigInt(random(3_000_000));
      tx.deltas.set(script, (tx.deltas.get(script) ?? 0n) + value);
      fresh.addChange(viewOf(keys[script]!), 0, id, false, ...halves(value));
      fresh.addCoin(viewOf(keys[script]!), 0, outputs.length, false);
      fresh.addOutputs(keys[script]!, BigInt64Array.of(value));
      outputs.push({ script, value, spender: undefined });
    }
    model.txs.push(tx);
  }
  await store.write(fresh, {
    firstHeight: height,
    lastHeight: height,
    firstOutput,
    endOutput: outputs.length,
    txs: stretch.txs,
  });
}

/** Undoes blocks, and writes what stays of the run that is cut as a run again. */
async function cutFrom(model: Model, store: RunStore, height: number): Promise<void> {
  const firstOutput = model.blocks[height]!;
  const fresh = createFreshEntries();
  const firstHeight = await store.cut(height, firstOutput, fresh);
  model.blocks.length = height;
  model.outputs.length = firstOutput;
  model.txs = model.txs.filter(({ id }) => id < firstOutput);
  for (const output of model.outputs) if (output.spender! >= firstOutput) output.spender = undefined;
  if (firstHeight === undefined) return;
  const first = model.blocks[firstHeight]!;
  await store.write(fresh, {
    firstHeight,
    lastHeight: height - 1,
    firstOutput: first,
    endOutput: firstOutput,
    txs: model.txs.filter(({ id }) => id >= first).length,
  });
}

async function expectAnswers(
  model: Model,
  store: RunStore,
  random: (below: number) => number,
): Promise<void> {
  const { set } = store;
  const { txs, outputs } = model;
  for (const [script, key] of keys.entries()) {
    const own = outputs.filter((output) => output.script === script);
    const spent = own.filter(({ spender }) => spender !== undefined);
    const changes = txs
      .filter(({ deltas }) => deltas.has(script))
      .map(({ id, deltas }) => ({ txId: id, delta: deltas.get(script)! }))
      .reverse();
    const sum = (list: readonly Output[]): bigint => list.reduce((total, { value }) => total + value, 0n);
    expect(await sumScript(writer, set, key)).toMatchObject({
      txs: changes.length,
      funded: own.length,
      spent: spent.length,
      fundedSum: sum(own),
      spentSum: sum(spent),
    });
    expect(await findFirstTx(writer, set, key)).toBe(changes.at(-1)?.txId);
    const unspent = outputs.flatMap((output, id) =>
      output.script === script && output.spender === undefined ? [id] : [],
    );
    expect(await listCoins(writer, set, key, -1, outputs.length + 1)).toEqual(unspent);
    for (let i = 0; i < 4; i++) {
      const at = random(outputs.length + 2);
      const limit = 1 + random(60);
      expect(await listChanges(writer, set, key, at, limit)).toEqual(
        changes.filter(({ txId }) => txId < at).slice(0, limit),
      );
      expect(await listCoins(writer, set, key, at, limit)).toEqual(
        unspent.filter((id) => id > at).slice(0, limit),
      );
    }
  }
  const first = random(outputs.length);
  const count = random(40);
  const spenders = Array.from({ length: count }, (_, i) => outputs[first + i]?.spender);
  expect(await findSpenders(writer, set, first, count)).toEqual(spenders);
  const some = Array.from({ length: 20 }, () => txs[random(txs.length)]!);
  for (const { id, txid } of some.slice(0, 5)) expect(await findTxIds(writer, set, txid)).toEqual([id]);
  const unknown = hash(`unknown ${first}`);
  const asked = [...some.map(({ txid }) => txid), unknown].map((bytes) => ({ bytes, at: 0 }));
  expect(await findManyTxIds(writer, set, asked)).toEqual([...some.map(({ id }) => [id]), []]);
}

async function openEmpty(name: string, threadEntries = Number.POSITIVE_INFINITY): Promise<RunStore> {
  // What failed before may have left one open.
  await writer.rollback();
  await ensureTables(writer, database.engine, [runTable, txSegmentTable], name);
  return await openRunStore(writer, { ...OPTIONS, threadEntries });
}

test('answer as the whole list does, however they are cut, merged and read again', {
  timeout: 120_000,
}, async () => {
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(stretchArbitrary, { minLength: 1, maxLength: 25, size: 'max' }),
      fc.nat(1_000_000),
      async (stretches, seed) => {
        const random = createRandom(seed);
        let store = await openEmpty(`run ${++runs}`);
        const model = emptyModel();
        for (const stretch of stretches) {
          await writer.begin();
          await playStretch(model, store, stretch);
          const { length } = model.blocks;
          if (random(2) === 0) await store.merge(length + 1_000, 1 + random(5_000));
          if (length > 1 && random(6) === 0) await cutFrom(model, store, 1 + random(length - 1));
          await writer.commit();
          if (random(5) === 0) store = await openRunStore(writer, OPTIONS);
          if (random(5) === 0) await expectAnswers(model, store, random);
        }
        for (let more = true; more; ) {
          await writer.begin();
          more = await store.merge(stretches.length + 1_000, 2_000);
          await writer.commit();
        }
        await expectAnswers(model, store, random);
        while (model.blocks.length > 1) {
          await writer.begin();
          await cutFrom(model, store, Math.max(1, model.blocks.length - 1 - random(4)));
          await writer.commit();
          await expectAnswers(model, store, random);
        }
      },
    ),
    { numRuns: 25 },
  );
});

test('an unspent output behind thousands of spent ones is found in few reads', async () => {
  const store = await openEmpty('long stretch of spent outputs');
  const model = emptyModel();
  const stretch = { txs: 3_000, hub: 100, oldest: 0, random: 0, outputs: 8, seed: 1 };
  await writer.begin();
  await playStretch(model, store, stretch);
  // Spends five of the oldest each, nearly all of them.
  await playStretch(model, store, { ...stretch, txs: 2_500, oldest: 100, outputs: 1, seed: 2 });
  await writer.commit();
  const unspent = model.outputs.flatMap(({ spender }, id) => (spender === undefined ? [id] : []));
  expect(unspent[0]).toBeGreaterThan(10_000);
  const { set, counts } = countReads(store);
  expect(await listCoins(writer, set, keys[0]!, -1, 10)).toEqual(unspent.slice(0, 10));
  expect(counts.reads).toBeLessThan(700);
});

test('the spender of an output is looked for in no run behind the one that has it', async () => {
  const store = await openEmpty('spent early');
  const model = emptyModel();
  for (const [seed, oldest] of [0, 100, 0, 0, 0, 0].entries()) {
    await writer.begin();
    await playStretch(model, store, { txs: 50, hub: 0, oldest, random: 0, outputs: 2, seed });
    await writer.commit();
  }
  expect(model.outputs[0]!.spender).toBeDefined();
  const { set, counts } = countReads(store);
  expect(set.runs).toHaveLength(6);
  // Without filters every run that is asked is read.
  const spenders = await findSpenders(writer, { ...set, filters: new Map() }, 0, 2);
  expect(spenders).toEqual(model.outputs.slice(0, 2).map(({ spender }) => spender));
  expect(counts.reads).toBe(1);
});

/** The runs of a store, with pages that are counted as they are read. */
function countReads(store: RunStore): { set: RunSet; counts: { reads: number } } {
  const counts = { reads: 0 };
  const count = (file: RunFile): RunFile => ({
    ...file,
    read(...args) {
      counts.reads++;
      return file.read(...args);
    },
  });
  const runs = store.set.runs.map((run) => ({ ...run, file: count(run.file!) }));
  return { set: { ...store.set, runs }, counts };
}

test('that are merged in another thread answer as those that are not', async () => {
  const answers: unknown[] = [];
  for (const threadEntries of [Number.POSITIVE_INFINITY, 0]) {
    const store = await openEmpty(`merged by ${threadEntries}`, threadEntries);
    const model = emptyModel();
    const random = createRandom(3);
    const stretch = { txs: 200, hub: 30, oldest: 30, random: 30, outputs: 6 };
    for (let height = 0; height < 20; height++) {
      await writer.begin();
      await playStretch(model, store, { ...stretch, seed: height });
      await writer.commit();
      store.committed();
    }
    await waitUntil('all is merged', async () => {
      await writer.begin();
      await store.merge(1_000, 1_000_000);
      await writer.commit();
      store.committed();
      return store.set.runs.length <= 8;
    });
    await expectAnswers(model, store, random);
    answers.push(store.set.runs.map(({ id, file, fileName, ...run }) => run));
  }
  expect(answers[1]).toEqual(answers[0]);
});

/** Nothing that other threads tell is heard in the meantime. */
function blockThread(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

test.each([
  ['while another thread merges them', 0],
  ['when another thread has merged them, which is not heard yet', 500],
])('that are cut %s leave no file behind', async (name, blockedMs) => {
  const store = await openEmpty(name, 0);
  const model = emptyModel();
  for (let height = 0; height < 12; height++) {
    await writer.begin();
    await playStretch(model, store, { txs: 200, hub: 30, oldest: 0, random: 30, outputs: 6, seed: height });
    await store.merge(1_000, 1_000);
    await writer.commit();
    store.committed();
  }
  await writer.begin();
  blockThread(blockedMs);
  await store.cut(0, 0, createFreshEntries());
  await writer.commit();
  store.committed();
  expect(store.set.runs).toEqual([]);
  await waitUntil('all files are gone', async () => {
    await writer.begin();
    await store.merge(1_000, 1_000);
    await writer.commit();
    return (await readdir(writer.folder!)).length === 0;
  });
});
