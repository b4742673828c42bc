import type { Database, Writer } from '../db/database.ts';
import { ensureTables } from '../db/tables.ts';
import { type ChainIndex, INDEX_LIMITS, type IndexLimits, openChainIndex } from './connect/chain-index.ts';
import type { ForeseenPrevouts } from './feed/foreseen-prevouts.ts';
import { refuseNewerIndex } from './index-version.ts';
import { chainTables, runPageTables } from './layout.ts';
import { type Mempool, openMempool } from './mempool/mempool.ts';
import type { IndexerPart } from './parts/part.ts';
import { openRevision } from './revision.ts';
import { openRunStore } from './runs/run-store.ts';
import { txSegmentTable } from './tx-log/segments.ts';

/** The index and the mempool behind one writer. */
export type OpenIndex = { readonly index: ChainIndex; readonly mempool: Mempool };

/**
 * Opens the index of a database, making its tables when they are not there or were made for another identity.
 *
 * @param options.identity see `identity.ts`
 * @param options.horizonBlocks the deepest reorg that can be undone
 * @param options.announce see {@link openRevision}
 * @param options.foresee see {@link openMempool}
 * @throws NewerIndexError
 */
export async function openIndex(options: {
  writer: Writer;
  engine: Database['engine'];
  parts: readonly IndexerPart[];
  identity: string;
  horizonBlocks: number;
  limits?: IndexLimits;
  announce?: (revision: number) => void;
  foresee?: (prevouts: ForeseenPrevouts) => void;
}): Promise<OpenIndex> {
  const { writer, engine, parts, identity, horizonBlocks, limits = INDEX_LIMITS } = options;
  const tables = [
    ...chainTables,
    ...(writer.folder === undefined ? runPageTables : [txSegmentTable]),
    ...parts.flatMap((part) => part.tables.map(({ table }) => table)),
  ];
  await refuseNewerIndex(writer, engine, identity);
  await ensureTables(writer, engine, tables, identity);
  const revision = openRevision(writer, options.announce);
  const runs = await openRunStore(writer, { ...limits, horizonBlocks });
  const mempool = await openMempool(writer, revision, runs, options.foresee ?? (() => {}));
  return { mempool, index: await openChainIndex({ ...options, limits, mempool, revision, runs }) };
}
