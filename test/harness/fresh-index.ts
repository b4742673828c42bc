import { expect } from 'vitest';
import type { TestEngine } from './engines.ts';
import { compareDumps, dumpIndex } from './index-dump.ts';
import type { TestNode } from './litecoind.ts';
import { catchUp, openTestIndexer, type TestIndexer, type TestIndexerOptions } from './test-indexer.ts';

/** Expects an index to have, row for row, what one has that is made anew; `undoFrom` as in `dumpIndex`. */
export async function expectFresh(
  node: TestNode,
  indexer: TestIndexer,
  engine: TestEngine,
  { undoFrom, ...options }: TestIndexerOptions & { undoFrom: number },
): Promise<void> {
  const fresh = await openTestIndexer(await engine.openUrl(), options);
  await catchUp(node.client, fresh);
  const differences = compareDumps(
    await dumpIndex(indexer.database, { undoFrom }),
    await dumpIndex(fresh.database, { undoFrom }),
  );
  await fresh.close();
  expect(differences).toEqual([]);
}
