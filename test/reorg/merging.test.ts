import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { sql } from '../../service/src/db/statement.ts';
import { OUTPUTS } from '../../service/src/indexer/runs/run-file-format.ts';
import { historyRuns, runKinds } from '../../service/src/indexer/runs/run-kinds.ts';
import { listRuns } from '../../service/src/indexer/runs/run-set.ts';
import { SEGMENT_PREFIX } from '../../service/src/indexer/tx-log/write-tx-log.ts';
import { coinbasePayouts } from '../../service/src/parts/chain/coinbase-payouts.ts';
import { countRunPages, damageRunPage } from '../harness/damage.ts';
import { type DatabaseLocation, forEachEngine } from '../harness/engines.ts';
import { auditIndex } from '../harness/index-audit.ts';
import { compareDumps, dumpIndex, nextSnapshot } from '../harness/index-dump.ts';
import { waitUntil } from '../harness/litecoind.ts';
import { listOutputs } from '../harness/run-entries.ts';
import { openTestIndexer, TEST_LIMITS, type TestIndexer } from '../harness/test-indexer.ts';
import { blockPlanArbitrary, buildBlock, type SyntheticBlock } from './synthetic-chain.ts';

/** Blocks of hundreds of entries each, on top of `base`. */
function buildChain(length: number, base: readonly SyntheticBlock[] = [], seed = 7): SyntheticBlock[] {
  const plans = fc.sample(blockPlanArbitrary({ minLength: 20, maxLength: 30 }), { numRuns: length, seed });
  const chain = [...base];
  for (const [i, plan] of plans.entries()) chain.push(buildBlock(chain.at(-1), plan, seed + i));
  return chain;
}

const FAILED = /told to fail/;
const chain = buildChain(80);
const NEVER = (): boolean => false;

forEachEngine('runs', (engine) => {
  // Each question is a round trip, and there are as many runs to ask.
  const BLOCKS = engine.kind === 'sqlite' ? 70 : 30;

  const open: TestIndexer[] = [];
  afterEach(async () => {
    for (const each of open.splice(0)) await each.close();
  });
  const openIndexer = async (location: DatabaseLocation, mergedAtOnce = 300): Promise<TestIndexer> => {
    const limits = { ...TEST_LIMITS, recentTxs: 256, mergedAtOnce, fileGraceMs: 0 };
    const indexer = await openTestIndexer(location, { parts: [coinbasePayouts], horizonBlocks: 10, limits });
    open.push(indexer);
    return indexer;
  };
  /** Longer branches than others can be undone; a commit is due by its size alone. */
  const openForBranch = async (limits: Partial<typeof TEST_LIMITS>): Promise<TestIndexer> => {
    const indexer = await openTestIndexer(await engine.openUrl(), {
      parts: [coinbasePayouts],
      horizonBlocks: 40,
      limits: { ...TEST_LIMITS, sharedMs: 60_000, ...limits },
    });
    open.push(indexer);
    return indexer;
  };
  /** One block after the other, as at the tip. */
  const connect = async (indexer: TestIndexer, from: number, to: number): Promise<void> => {
    for (let height = from; height < to; height++) {
      const batch = await indexer.prepare([chain[height]!.fetched]);
      await indexer.index.apply({ disconnectFrom: undefined, batch, nodeHeight: height });
    }
  };
  /** In steps of a block each, which may share a commit. */
  const replaceFrom = async (
    { index, prepare }: TestIndexer,
    branch: readonly SyntheticBlock[],
    from: number,
  ): Promise<void> => {
    const nodeHeight = branch.length - 1;
    for (const { fetched } of branch.slice(from)) {
      const { height } = fetched;
      const batch = await prepare([fetched]);
      const disconnectFrom = height === from ? from : undefined;
      await index.apply({ disconnectFrom, batch, nodeHeight, goesOn: height < nodeHeight });
    }
  };
  const countRuns = async ({ database }: TestIndexer): Promise<number> => {
    await nextSnapshot();
    return (await database.snapshot(listRuns)).length;
  };
  const expectSound = async ({ index, database, readChain }: TestIndexer, height: number): Promise<void> => {
    expect(index.state.height).toBe(height);
    expect(await auditIndex(database, readChain)).toEqual([]);
  };
  const expectFresh = async (indexer: TestIndexer): Promise<void> => {
    const fresh = await openIndexer(await engine.openUrl());
    await connect(fresh, 0, indexer.index.state.height + 1);
    const [found, wanted] = [await dumpIndex(indexer.database), await dumpIndex(fresh.database)];
    expect(compareDumps(found, wanted)).toEqual([]);
  };
  /** Pages that belong to no run, or files. */
  const countOrphans = async ({ database }: TestIndexer): Promise<number> => {
    await nextSnapshot();
    return await database.snapshot(async (reader) => {
      const runs = await listRuns(reader);
      if (reader.folder !== undefined) {
        const names = new Set(runs.map(({ fileName }) => fileName));
        return readdirSync(reader.folder).filter(
          (name) => !names.has(name) && !name.startsWith(SEGMENT_PREFIX),
        ).length;
      }
      const ids = new Set(runs.map(({ id }) => id));
      let orphans = 0;
      for (const { table } of runKinds) {
        const rows = await reader.all(sql<{ page: number }>(`select page from ${table.name}`));
        orphans += rows.filter(({ page }) => !ids.has(Math.floor(page / 2 ** 32))).length;
      }
      return orphans;
    });
  };
  const expectNoOrphans = (indexer: TestIndexer): Promise<unknown> =>
    waitUntil('nothing is left of runs that were merged', async () => {
      await indexer.index.tidy(NEVER);
      return (await countOrphans(indexer)) === 0;
    });

  type Damage = () => Promise<() => Promise<void>>;
  /** Each damages the first, a middle or the last page of the histories of scripts, and can put it back. */
  const listDamages = async ({ database, writer }: TestIndexer): Promise<Damage[]> => {
    const pick = <T>(list: readonly T[]): T[] => [list[0]!, list[Math.floor(list.length / 2)]!, list.at(-1)!];
    await nextSnapshot();
    const { folder, runs } = await database.snapshot(async (reader) => ({
      folder: reader.folder,
      runs: await listRuns(reader),
    }));
    if (folder !== undefined) {
      return pick(runs).map(({ fileName }, i) => async () => {
        const path = join(folder, fileName);
        const page = pick([...Array(countRunPages(path, historyRuns.code)).keys()])[i]!;
        const putBack = damageRunPage(path, historyRuns.code, page);
        return async () => putBack();
      });
    }
    const { name } = historyRuns.table;
    const pages = await writer.all(sql<{ page: number }>(`select page from ${name} order by page`));
    const change = async (...statements: string[]): Promise<void> => {
      await writer.begin();
      for (const statement of statements) await writer.run(sql(statement));
      await writer.commit();
    };
    return pick(pages).map(({ page }) => async () => {
      await change(
        `create temporary table lost as select * from ${name} where page = ${page}`,
        `delete from ${name} where page = ${page}`,
      );
      return () => change(`insert into ${name} select * from lost`, 'drop table lost');
    });
  };

  test('are merged in slices between which the thread learns of a new block', async () => {
    const indexer = await openIndexer(await engine.openUrl());
    await connect(indexer, 0, BLOCKS);
    // News comes by the node's connection, so that the event loop has to come round.
    let hasNews = false;
    setImmediate(() => {
      hasNews = true;
    });
    let slices = 0;
    await indexer.index.tidy(() => hasNews || ++slices > 5);
    expect(hasNews).toBe(true);
    expect(slices).toBeLessThanOrEqual(2);
  });

  test('are merged where no reorganisation comes, and answer the same before, meanwhile and afterwards', async () => {
    const indexer = await openIndexer(await engine.openUrl());
    await connect(indexer, 0, BLOCKS);
    expect(await countRuns(indexer)).toBe(BLOCKS);
    await expectSound(indexer, BLOCKS - 1);
    for (let slices = 0; slices < 40; slices++) {
      let asked = 0;
      await indexer.index.tidy(() => ++asked > 1);
      if (slices % 20 === 3) await expectSound(indexer, BLOCKS - 1);
    }
    await indexer.index.tidy(NEVER);
    await expectSound(indexer, BLOCKS - 1);
    expect(await countRuns(indexer)).toBeLessThan(BLOCKS * 0.6);
    await expectNoOrphans(indexer);
    await expectFresh(indexer);
  });

  test('that were being merged when the process ended, or when a slice failed, lose nothing and leave nothing', async () => {
    const location = await engine.openUrl();
    const indexer = await openIndexer(location);
    await connect(indexer, 0, BLOCKS);
    let asked = 0;
    await indexer.index.tidy(() => ++asked > 3);
    const { insert } = indexer.writer;
    indexer.writer.insert = async () => {
      throw new Error('told to fail');
    };
    await expect(indexer.index.tidy(NEVER)).rejects.toThrow(FAILED);
    indexer.writer.insert = insert;
    await expectSound(indexer, BLOCKS - 1);
    asked = 0;
    await indexer.index.tidy(() => ++asked > 3);
    expect(await countOrphans(indexer)).toBeGreaterThan(0);
    await open.pop()!.close();

    const reopened = await openIndexer(location);
    await expectSound(reopened, BLOCKS - 1);
    await expectNoOrphans(reopened);
    await expectSound(reopened, BLOCKS - 1);
    await expectFresh(reopened);
  });

  test('are known again when what is left after a failure could not be read either', async () => {
    const indexer = await openIndexer(await engine.openUrl());
    await connect(indexer, 0, 20);
    const { insert, all } = indexer.writer;
    const fail = async (): Promise<never> => {
      throw new Error('told to fail');
    };
    const batch = await indexer.prepare([chain[20]!.fetched]);
    Object.assign(indexer.writer, { insert: fail, all: fail });
    await expect(indexer.index.apply({ disconnectFrom: undefined, batch, nodeHeight: 20 })).rejects.toThrow(
      FAILED,
    );
    Object.assign(indexer.writer, { insert, all });
    await expectSound(indexer, 19);
    await connect(indexer, 20, 25);
    await indexer.index.tidy(NEVER);
    await expectSound(indexer, 24);
    await expectFresh(indexer);
  });

  test('are cut by a reorganisation, merged or not, also in the middle of a merge', async () => {
    const indexer = await openIndexer(await engine.openUrl());
    await connect(indexer, 0, BLOCKS - 10);
    for (const back of engine.kind === 'sqlite' ? [1, 3, 8, 9] : [1, 8]) {
      let asked = 0;
      await indexer.index.tidy(() => ++asked > 6);
      const { height } = indexer.index.state;
      await indexer.index.apply({ disconnectFrom: height - back + 1, batch: undefined, nodeHeight: height });
      await expectSound(indexer, height - back);
      await connect(indexer, height - back + 1, height + 3);
      await expectSound(indexer, height + 2);
    }
    await indexer.index.tidy(NEVER);
    await expectFresh(indexer);
  });

  test('of a long branch that replaces another are as short near its tip as those of blocks that came one by one', async () => {
    const FORK = 9;
    const branch = buildChain(25, chain.slice(0, FORK + 1), 8);
    const tip = branch.length - 1;
    const roomy = { recentTxs: 1 << 12, recentOutputs: 1 << 14, freshBytes: 1 << 26 };
    const indexer = await openForBranch(roomy);
    await connect(indexer, 0, tip);
    await indexer.index.tidy(NEVER);
    await replaceFrom(indexer, branch, FORK + 1);
    await nextSnapshot();
    for (const { firstHeight, lastHeight } of await indexer.database.snapshot((reader) => listRuns(reader)))
      expect(lastHeight - firstHeight).toBeLessThan((tip - lastHeight) / 4 + 1);
    await expectSound(indexer, tip);
  });

  test('of a branch with more than what the feed remembers are committed on the way', async () => {
    const FORK = 4;
    const branch = buildChain(25, chain.slice(0, FORK + 1), 9);
    const tip = branch.length - 1;
    const few = { recentTxs: 256, recentOutputs: 512, freshBytes: 60_000 };
    const indexer = await openForBranch(few);
    await connect(indexer, 0, tip);
    await replaceFrom(indexer, branch, FORK + 1);
    await expectSound(indexer, tip);
  });

  test('of which a page is missing are an error that says so, and never a wrong answer', async () => {
    const indexer = await openIndexer(await engine.openUrl());
    await connect(indexer, 0, BLOCKS);
    await indexer.index.tidy(NEVER);
    for (const damage of await listDamages(indexer)) {
      const putBack = await damage();
      await nextSnapshot();
      const scripts = new Set<string>();
      let failures = 0;
      for (const { fetched } of chain.slice(0, BLOCKS)) {
        const { scan } = fetched;
        for (let o = 0; o < scan.outputCount; o++) {
          const script = scan.raw.slice(scan.scriptOffset[o]!, scan.scriptOffset[o]! + scan.scriptLength[o]!);
          const key = Buffer.from(script).toString('hex');
          if (scripts.has(key)) continue;
          scripts.add(key);
          const read = indexer.readChain((view) => view.getScriptStats(script));
          await read.catch((error: Error) => {
            expect(error).toMatchObject({
              name: 'DatabaseDamagedError',
              message: expect.stringContaining(historyRuns.name),
            });
            failures++;
          });
        }
      }
      expect(failures).toBeGreaterThan(0);
      await putBack();
    }
    await expectSound(indexer, BLOCKS - 1);
  });

  test('of which values and scripts of outputs are damaged say so, too', async ({ skip }) => {
    const indexer = await openIndexer(await engine.openUrl());
    await connect(indexer, 0, BLOCKS);
    await nextSnapshot();
    const folder = await indexer.database.snapshot(async (reader) => reader.folder);
    if (folder === undefined) return skip('PostgreSQL has them in a table');
    const runs = await indexer.database.snapshot((reader) => listRuns(reader));
    const { fileName } = runs[Math.floor(runs.length / 2)]!;
    const putBack = damageRunPage(join(folder, fileName), OUTPUTS, 0);
    await expect(indexer.database.snapshot(listOutputs)).rejects.toMatchObject({
      name: 'DatabaseDamagedError',
      message: expect.stringMatching(/page 0 of output of the run of blocks .*delete the index/),
    });
    putBack();
    await expectSound(indexer, BLOCKS - 1);
  });
});
