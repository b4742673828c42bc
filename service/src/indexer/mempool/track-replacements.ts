import type { Writer } from '../../db/database.ts';
import { sql } from '../../db/statement.ts';
import { createDepartedTxs, type DepartedTx } from './departed-txs.ts';
import { type MempoolEntry, readEntry } from './mempool-rows.ts';
import {
  decodeReplacement,
  encodeReplaced,
  encodeReplacement,
  REPLACED_PATTERN,
  type ReplacementRow,
  replacedKey,
  replacesKey,
} from './replacement-rows.ts';

/** Transactions that are remembered as replaced, the latest; with what replaced them about 5 MB. */
export const MOST_REPLACEMENTS = 10_000;
/** What was replaced earlier is forgotten with the next replacement. */
export const REPLACEMENT_AGE_MS = 48 * 3_600_000;

/**
 * What has replaced what in the mempool, as far as it was seen: kept in the database for all who read it, as much as is worth telling. All that
 * writes does so within the caller's transaction.
 */
export type ReplacementTrack = {
  /** Whether no spend can say anything new. */
  readonly isIdle: boolean;
  /** A transaction went, and all that built on it, since `by` spends what it spent. */
  noteReplaced(
    replaced: MempoolEntry,
    gone: Iterable<MempoolEntry>,
    by: string,
    nowMs: number,
  ): Promise<void>;
  /** Transactions went, and nothing says why yet. */
  noteGone(gone: readonly MempoolEntry[], toOutpoint: (txid: Uint8Array, vout: number) => string): void;
  /** A transaction of the mempool or of a block spends this output. */
  noteSpend(outpoint: string, by: string, nowMs: number): Promise<void>;
  /** Reads everything anew, after the caller's rollback. */
  reload(): Promise<void>;
};

const LIST = sql<{ key: string; value: string }>('select key, value from meta where key like $1');
const PUT = sql(
  'insert into meta (key, value) values ($1, $2) on conflict (key) do update set value = excluded.value',
);
const DELETE = sql('delete from meta where key = $1');

/** Opens what the database remembers. */
export async function openReplacementTrack(
  writer: Writer,
  mostRemembered = MOST_REPLACEMENTS,
): Promise<ReplacementTrack> {
  /** By what was replaced, the oldest first. */
  const replacements = new Map<string, ReplacementRow>();
  /** By what replaced them. */
  const replaced = new Map<string, Set<string>>();
  const departed = createDepartedTxs();

  const remember = (row: ReplacementRow): void => {
    replacements.set(row.txid, row);
    const others = replaced.get(row.by) ?? new Set();
    replaced.set(row.by, others.add(row.txid));
  };

  const writeReplaced = async (by: string): Promise<void> => {
    const others = replaced.get(by);
    if (others === undefined) await writer.run(DELETE, [replacesKey(by)]);
    else await writer.run(PUT, [replacesKey(by), encodeReplaced(others)]);
  };

  const forget = async ({ txid, by }: ReplacementRow): Promise<void> => {
    replacements.delete(txid);
    const others = replaced.get(by);
    others?.delete(txid);
    if (others?.size === 0) replaced.delete(by);
    await writer.run(DELETE, [replacedKey(txid)]);
    await writeReplaced(by);
  };

  const note = async (rows: readonly ReplacementRow[], by: string, nowMs: number): Promise<void> => {
    for (const row of rows) {
      const before = replacements.get(row.txid);
      if (before !== undefined) await forget(before);
      remember(row);
      await writer.run(PUT, [replacedKey(row.txid), encodeReplacement(row)]);
    }
    await writeReplaced(by);
    for (const oldest of replacements.values()) {
      if (replacements.size <= mostRemembered && oldest.atMs >= nowMs - REPLACEMENT_AGE_MS) break;
      await forget(oldest);
    }
  };

  const reload = async (): Promise<void> => {
    replacements.clear();
    replaced.clear();
    departed.clear();
    const rows = (await writer.all(LIST, [REPLACED_PATTERN])).map(({ key, value }) =>
      decodeReplacement(key, value),
    );
    for (const row of rows.sort((a, b) => a.atMs - b.atMs)) remember(row);
  };

  await reload();
  return {
    get isIdle() {
      return departed.isEmpty;
    },
    reload,
    async noteReplaced(first, gone, by, atMs) {
      const rows = [...gone].map((entry) => describeReplaced(entry, by, entry === first, atMs));
      await note(rows, by, atMs);
    },
    noteGone(gone, toOutpoint) {
      for (const entry of gone) departed.add(describeDeparted(entry, toOutpoint));
    },
    async noteSpend(outpoint, by, atMs) {
      const gone = departed.take(outpoint, by);
      if (gone.length === 0) return;
      const rows = gone.map((tx, i) => describeReplaced(tx, by, i === 0, atMs));
      await note(rows, by, atMs);
    },
  };
}

function describeDeparted(
  entry: MempoolEntry,
  toOutpoint: (txid: Uint8Array, vout: number) => string,
): DepartedTx {
  const { txid, fee, weight } = entry;
  const { inputs, outputs } = readEntry(entry);
  const spends = inputs.map(({ prevTxid, prevVout }) => toOutpoint(prevTxid, prevVout));
  return { txid, fee, weight, spends, outputCount: outputs.length };
}

function describeReplaced(
  { txid, fee, weight }: Pick<MempoolEntry, 'txid' | 'fee' | 'weight'>,
  by: string,
  isDirect: boolean,
  atMs: number,
): ReplacementRow {
  return { txid, by, isDirect, atMs, fee, weight };
}
