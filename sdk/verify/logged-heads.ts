import type { LedgerEntryJson } from '@coinfront/api/treasury.ts';
import { type LoggedHead, parseLoggedHead } from '@coinfront/protocol/treasury/ledger-head.ts';
import type { LogEntry } from './read-log.ts';

/** A head of the ledger that its log has, with the digest of the checkpoint that it was the newest entry of. */
export type HeadOfLog = { head: LoggedHead; digest: string };

/** Reads the entries of a ledger's log: heads in their order, of this ledger. Undefined for anything else. */
export function readLoggedHeads(
  entries: readonly LogEntry[],
  { genesisHash, serviceKey }: { genesisHash: string; serviceKey: string },
): HeadOfLog[] | undefined {
  const read: HeadOfLog[] = [];
  for (const { text, digest } of entries) {
    const parsed = parseLoggedHead(text);
    if (!parsed.ok) return undefined;
    const head = parsed.value;
    const last = read.at(-1)?.head;
    const isNext =
      head.network === genesisHash &&
      head.service_key === serviceKey &&
      head.epoch > (last?.epoch ?? -1) &&
      head.sequence > (last?.sequence ?? 0);
    if (!isNext) return undefined;
    read.push({ head, digest });
  }
  return read;
}

/** Compares a ledger, which is read newest first, with the heads in its log. */
export type HeadComparison<T> = {
  /** Takes the next older entry. @returns the first head that holds it; undefined while none does */
  look(entry: LedgerEntryJson): T | undefined;
  /**
   * Whether the ledger is another than the log has.
   *
   * @param newest - number of the newest entry that the ledger has
   */
  isForked(newest: number): boolean;
};

/** Begins a comparison; heads are oldest first. */
export function compareWithHeads<T extends { head: LoggedHead }>(heads: readonly T[]): HeadComparison<T> {
  let from = heads.length;
  let hasOther = false;
  return {
    look(entry) {
      while (from > 0 && heads[from - 1]!.head.sequence >= entry.sequence) from -= 1;
      const first = heads[from];
      if (first?.head.sequence === entry.sequence && first.head.hash !== entry.seal?.hash) hasOther = true;
      return first;
    },
    isForked: (newest) => hasOther || newest < (heads.at(-1)?.head.sequence ?? 0),
  };
}
