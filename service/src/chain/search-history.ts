import { sha256 } from '@coinfront/protocol/hash.ts';
import type { BlockRecord, ChainView, HistoryEntry } from './chain-view.ts';
import { findHeightSince } from './find-height-since.ts';

/** Entries that a request looks at; where more lie between what it looks for, the next goes on. */
export const MOST_READ = 1_000;

const DAY_S = 86_400;

/** Which entries of a history are wanted; days are `YYYY-MM-DD`, both counted. */
export type HistoryFilter = {
  direction: 'received' | 'sent' | undefined;
  fromDay: string | undefined;
  toDay: string | undefined;
};

/** A page of a history; where there may be more, it lies behind `last`. */
export type HistoryPage = {
  entries: HistoryEntry[];
  last: { id: number; height: number | undefined } | undefined;
};

/**
 * A page of what is wanted of a history, the mempool's part before the chain's. Days are told by the median times of blocks, which ascend: what
 * lies outside is not read. What waits is of today.
 */
export async function searchHistoryPage(
  view: ChainView,
  tip: BlockRecord,
  script: Uint8Array,
  filter: HistoryFilter,
  from: { confirmed: boolean; id: number } | undefined,
  limit: number,
): Promise<HistoryPage> {
  const matches = chooseMatcher(filter.direction);
  const entries: HistoryEntry[] = [];
  const mayWait = filter.toDay === undefined && (filter.fromDay ?? '') <= today();
  if (from?.confirmed !== true && mayWait && view.mempool.txs > 0) {
    const waiting = await view.listMempoolHistory(script, from?.id, MOST_READ);
    const found = waiting.filter(({ delta }) => matches(delta));
    entries.push(...found.slice(0, limit));
    const last = found.length >= limit ? entries.at(-1) : waiting.length === MOST_READ && waiting.at(-1);
    if (last) return { entries, last: { id: last.txId, height: undefined } };
  }
  const span = await findSpan(view, tip, filter);
  if (span === undefined) return { entries, last: undefined };
  const below = from?.confirmed === true ? from.id : undefined;
  const search = await view.ofScript(sha256(script)).searchHistory({
    beforeTxId:
      below === undefined || span.beforeTxId === undefined
        ? (below ?? span.beforeTxId)
        : Math.min(below, span.beforeTxId),
    fromTxId: span.fromTxId,
    matches,
    limit: limit - entries.length,
    mostRead: MOST_READ,
  });
  return {
    entries: [...entries, ...search.entries],
    last: search.last && { id: search.last.txId, height: search.last.height },
  };
}

/** What a direction asks of the change of a balance. */
export function chooseMatcher(direction: HistoryFilter['direction']): (delta: bigint) => boolean {
  if (direction === undefined) return () => true;
  return direction === 'received' ? (delta) => delta > 0n : (delta) => delta < 0n;
}

/** Transactions of blocks of the days; undefined where no block is of them. */
export async function findSpan(
  view: ChainView,
  tip: BlockRecord,
  { fromDay, toDay }: HistoryFilter,
): Promise<{ fromTxId: number; beforeTxId: number | undefined } | undefined> {
  const first = fromDay === undefined ? 0 : await findHeightSince(view, tip, toSeconds(fromDay));
  if (first === undefined) return undefined;
  const end = toDay === undefined ? undefined : await findHeightSince(view, tip, toSeconds(toDay) + DAY_S);
  const firstTxIdOf = async (height: number) => (await view.findBlockAt(height))!.firstTxId;
  return {
    fromTxId: await firstTxIdOf(first),
    beforeTxId: end === undefined ? undefined : await firstTxIdOf(end),
  };
}

/** The present day (UTC). */
function today(): string {
  return new Date().toISOString().slice(0, 10);
}

function toSeconds(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) / 1_000;
}
