import type { Reader } from '../../service/src/db/database.ts';
import { firstPageOf, listPages } from '../../service/src/indexer/runs/read-pages.ts';
import { COIN_SIGN_AT, type RunKind } from '../../service/src/indexer/runs/run-kinds.ts';
import { emptyRunSet, listRuns, loadRunSet } from '../../service/src/indexer/runs/run-set.ts';
import { visitOutputs } from '../../service/src/indexer/transactions/stored-outputs.ts';
import { listTxPages, type TxPage } from '../../service/src/indexer/transactions/tx-pages.ts';

/** The entries of all runs together, in hex and in order; an output that one run makes and another spends is in none of them. */
export async function listEntries(reader: Reader, kind: RunKind): Promise<string[]> {
  const entries: string[] = [];
  for (const run of await listRuns(reader)) {
    let count = 0;
    let next: number | undefined = firstPageOf(run);
    for (const page of await listPages(reader, run, kind, next, Number.MAX_SAFE_INTEGER)) {
      if (page.number !== next) throw new Error(`page ${next} of run ${run.id} of ${kind.name} is missing`);
      next = page.next;
      for (let i = 0; i < page.count; i++, count++) {
        const at = page.start + i * kind.entryBytes;
        entries.push(Buffer.from(page.data.subarray(at, at + kind.entryBytes)).toString('hex'));
      }
    }
    if (count !== run.entries[kind.code])
      throw new Error(`run ${run.id} has ${count} entries of ${kind.name}, not ${run.entries[kind.code]}`);
  }
  entries.sort();
  return kind.joins === 'cancel' ? cancel(entries) : entries;
}

/** Value and script of every output, by its number. */
export async function listOutputs(reader: Reader): Promise<string[]> {
  const runs = await listRuns(reader);
  const outputs: string[] = [];
  const ids = Array.from({ length: runs.at(-1)?.endOutput ?? 0 }, (_, id) => id);
  await visitOutputs(reader, { ...emptyRunSet, runs }, ids, ({ outputId, value, key }) =>
    outputs.push(`${outputId} ${value} ${Buffer.from(key).toString('hex')}`),
  );
  return outputs;
}

/** All pages of transactions, in the order of the chain. */
export async function listAllTxPages(reader: Reader): Promise<TxPage[]> {
  const set = await loadRunSet(reader, emptyRunSet, { kinds: [], bytes: 0 });
  const all = { from: 0, end: Number.MAX_SAFE_INTEGER, limit: Number.MAX_SAFE_INTEGER };
  return await listTxPages(reader, set, all);
}

function cancel(entries: readonly string[]): string[] {
  const left: string[] = [];
  for (const entry of entries) {
    const last = left.at(-1);
    if (last?.slice(0, COIN_SIGN_AT * 2) === entry.slice(0, COIN_SIGN_AT * 2)) left.pop();
    else left.push(entry);
  }
  return left;
}
