import { blockHashOf, parseHeader } from '@coinfront/protocol/block.ts';
import { equalBytes, toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import type { Database } from '../../service/src/db/database.ts';
import { type SqlValue, sql } from '../../service/src/db/statement.ts';
import { txRuns } from '../../service/src/indexer/runs/run-kinds.ts';
import { listRuns } from '../../service/src/indexer/runs/run-set.ts';
import { nextSnapshot } from './index-dump.ts';
import { listAllTxPages, listEntries } from './run-entries.ts';

type Row = Record<string, SqlValue>;

const LIST_BLOCKS = sql<Row>('select * from block order by height', { bigints: true });

/** Whether the blocks are linked, each total follows from the one before, and both are those of a whole chain. */
export async function auditTip(database: Database): Promise<string[]> {
  await nextSnapshot();
  return await database.snapshot(async (reader) => {
    const problems: string[] = [];
    const check = (what: string, found: unknown, wanted: unknown): void => {
      if (String(found) !== String(wanted)) problems.push(`${what}: ${found}, expected ${wanted}`);
    };
    const blocks = await reader.all(LIST_BLOCKS);
    let before: Row | undefined;
    for (const block of blocks) {
      const { prevHash } = getValue(parseHeader(block.header as Uint8Array));
      const isLinked = before ? equalBytes(prevHash, before.hash as Uint8Array) : block.height === 0n;
      check(`block ${block.height} is linked to the one below`, isLinked, true);
      check(
        `hash of ${block.height}`,
        toDisplayHash(block.hash as Uint8Array),
        toDisplayHash(blockHashOf(block.header as Uint8Array)),
      );
      check(`first id of ${block.height}`, block.first_tx_id, before?.total_outputs ?? 0n);
      check(
        `total_txs of ${block.height}`,
        block.total_txs,
        ((before?.total_txs as bigint | undefined) ?? 0n) + (block.tx_count as bigint),
      );
      check(
        `total_fees of ${block.height}`,
        block.total_fees,
        BigInt(String(before?.total_fees ?? 0)) + (block.fees as bigint),
      );
      check(
        `blocks with fee rates up to ${block.height}`,
        Number(String(block.total_rates).split(',')[0]),
        Number(String(before?.total_rates ?? 0).split(',')[0]) + (block.tx_count === 1n ? 0 : 1),
      );
      before = block;
    }
    const runs = await listRuns(reader);
    check('blocks in runs', runs.at(-1)?.lastHeight ?? -1, before?.height ?? -1n);
    check('outputs in runs', runs.at(-1)?.endOutput ?? 0, before?.total_outputs ?? 0n);
    check('txids in runs', (await listEntries(reader, txRuns)).length, before?.total_txs ?? 0n);
    const pages = await listAllTxPages(reader);
    check(
      'transactions in pages',
      pages.reduce((sum, page) => sum + page.data[0]! * 256 + page.data[1]!, 0),
      before?.total_txs ?? 0n,
    );
    return problems;
  });
}
