import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import type { Writer } from '../../service/src/db/database.ts';
import { coinbasePayouts } from '../../service/src/parts/chain/coinbase-payouts.ts';
import { type DatabaseLocation, forEachEngine } from '../harness/engines.ts';
import { auditIndex } from '../harness/index-audit.ts';
import { compareDumps, dumpIndex } from '../harness/index-dump.ts';
import { openTestIndexer, type TestIndexer } from '../harness/test-indexer.ts';
import { blockPlanArbitrary, buildBlock, type SyntheticBlock } from './synthetic-chain.ts';

/** Blocks of hundreds of keys each. */
function buildChain(length: number): SyntheticBlock[] {
  const plans = fc.sample(blockPlanArbitrary({ minLength: 20, maxLength: 30 }), { numRuns: length, seed: 7 });
  const chain: SyntheticBlock[] = [];
  for (const [i, plan] of plans.entries()) chain.push(buildBlock(chain.at(-1), plan, i + 1));
  return chain;
}

/** Makes the `nth` call of one of the writer's functions fail. */
function failAt(writer: Writer, name: 'get' | 'insert' | 'delete' | 'upsert', nth: number): void {
  const original = writer[name] as (...args: unknown[]) => Promise<unknown>;
  let calls = 0;
  const replaced = async (...args: unknown[]): Promise<unknown> => {
    calls++;
    if (calls < nth) return await original(...args);
    Object.assign(writer, { [name]: original });
    throw new Error('told to fail');
  };
  Object.assign(writer, { [name]: replaced });
}

const FAILED = /told to fail/;
const chain = buildChain(40);

forEachEngine('keys that wait for their pages', (engine) => {
  const open: TestIndexer[] = [];
  afterEach(async () => {
    for (const each of open.splice(0)) await each.close();
  });
  const openIndexer = async (location: DatabaseLocation): Promise<TestIndexer> => {
    const indexer = await openTestIndexer(location, { parts: [coinbasePayouts] });
    open.push(indexer);
    return indexer;
  };
  const apply = (indexer: TestIndexer, from: number, to: number): Promise<void> => {
    const batch = indexer.prepare(chain.slice(from, to).map(({ fetched }) => fetched));
    return indexer.index.apply({ disconnectFrom: undefined, batch, nodeHeight: to - 1 });
  };
  /** What is there is sound and ends with this block, whether its keys are in their pages or not. */
  const expectSound = async ({ index, database, readChain }: TestIndexer, height: number): Promise<void> => {
    expect(index.state.height).toBe(height);
    expect(await auditIndex(database, readChain)).toEqual([]);
  };
  const expectFresh = async (indexer: TestIndexer, blocks: number): Promise<void> => {
    await indexer.index.settle();
    const fresh = await openIndexer(await engine.openUrl());
    await apply(fresh, 0, blocks);
    await fresh.index.settle();
    expect(compareDumps(await dumpIndex(indexer.database), await dumpIndex(fresh.database))).toEqual([]);
  };

  test('are found where they are, through steps, restarts and until they are moved', async () => {
    const location = await engine.openUrl();
    let indexer = await openIndexer(location);
    await apply(indexer, 0, 20);
    await indexer.index.settle();
    for (const height of [20, 21, 22]) {
      await apply(indexer, height, height + 1);
      await expectSound(indexer, height);
    }
    await open.pop()!.close();
    indexer = await openIndexer(location);
    await expectSound(indexer, 22);
    await apply(indexer, 23, 40);
    await expectSound(indexer, 39);
    await expectFresh(indexer, 40);
  });

  test.each(['upsert', 'delete'] as const)(
    'stay when moving them fails at %s, and are moved when it is tried again',
    async (name) => {
      const indexer = await openIndexer(await engine.openUrl());
      await apply(indexer, 0, 20);
      await indexer.index.settle();
      await apply(indexer, 20, 21);
      failAt(indexer.writer, name, 1);
      await expect(indexer.index.settle()).rejects.toThrow(FAILED);
      await expectSound(indexer, 20);
      await expectFresh(indexer, 21);
    },
  );

  test.each([1, 2])(
    'are not lost when what is left after a failure cannot be read at question %i either',
    async (nth) => {
      const indexer = await openIndexer(await engine.openUrl());
      await apply(indexer, 0, 20);
      await indexer.index.settle();
      await apply(indexer, 20, 21);
      failAt(indexer.writer, 'insert', 3);
      await expect(apply(indexer, 21, 22)).rejects.toThrow(FAILED);

      failAt(indexer.writer, 'get', nth);
      await indexer.index.commit();
      await expect(apply(indexer, 21, 22)).rejects.toThrow(FAILED);
      await expectSound(indexer, 20);
      failAt(indexer.writer, 'get', nth);
      await expect(indexer.index.settle()).rejects.toThrow(FAILED);
      await expectSound(indexer, 20);

      await apply(indexer, 21, 25);
      await expectSound(indexer, 24);
      await expectFresh(indexer, 25);
    },
  );
});
