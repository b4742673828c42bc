import { formatAmount } from '@coinfront/protocol/amount.ts';
import { equalBytes, toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { sha256 } from '@coinfront/protocol/hash.ts';
import type { BlockName, ChainView, HistoryEntry, ReadChain, ScriptReads } from '../../chain/chain-view.ts';
import type { StreamedText } from '../../http/large-answers.ts';

/** Lines that are read in one snapshot. */
const LINES_AT_ONCE = 100;

/** Names of the columns; `balance` is that of the address behind the transaction. */
const HEAD = 'time,height,txid,amount,balance\r\n';

/** Where a table goes on: below a transaction, whose block has to be there still. */
type Place = { txId: number; height: number; hash: Uint8Array; balance: bigint };

/** Transactions that a table is of. */
export type Span = { fromTxId: number; beforeTxId: number | undefined };

/** All of them. */
export const wholeHistory: Span = { fromTxId: 0, beforeTxId: undefined };

/** What a table has lines of; without a span none. */
export type WantedLines = {
  script: Uint8Array;
  matches: (delta: bigint) => boolean;
  span: Span | undefined;
};

type Lines = Omit<WantedLines, 'script' | 'span'> & { hash: Uint8Array; span: Span };

/**
 * The confirmed history of a script as CSV (RFC 4180), newest first. What comes first is read from the view that the answer names,
 * the rest part by part, each in a snapshot of its own.
 *
 * Blocks that come meanwhile are above of what is written, and change nothing of it. Where one that was written leaves the chain,
 * or the lines do not sum up to what the script had before them, the stream throws: the transfer fails, and no wrong table is taken for a whole one.
 */
export async function openHistoryTable(
  view: ChainView,
  readChain: ReadChain,
  { script, matches, span }: WantedLines,
  decimals: number,
): Promise<StreamedText> {
  const wanted = span && { hash: sha256(script), matches, span };
  const first =
    wanted === undefined
      ? { lines: [], next: undefined }
      : await readLines(view, wanted, undefined, decimals);
  return {
    async *streamedText() {
      yield [HEAD];
      yield first.lines;
      for (let place = first.next; place !== undefined && wanted !== undefined; ) {
        const from = place;
        const part = await readChain((later) => readLines(later, wanted, from, decimals));
        yield part.lines;
        place = part.next;
      }
    },
  };
}

async function readLines(
  view: ChainView,
  { hash, matches, span }: Lines,
  from: Place | undefined,
  decimals: number,
): Promise<{ lines: string[]; next: Place | undefined }> {
  const reads = view.ofScript(hash);
  if (from !== undefined) {
    const block = await view.nameBlockAt(from.height);
    if (block === undefined || !equalBytes(block.hash, from.hash))
      throw new Error(`block ${from.height} left the chain under a table`);
  }
  const read = await reads.listHistory(from?.txId ?? span.beforeTxId, LINES_AT_ONCE);
  const entries = read.filter(({ txId }) => txId >= span.fromTxId);
  let balance = from?.balance ?? (await balanceBelow(reads, span.beforeTxId));
  const blocks = new Map<number, BlockName>();
  const lines: string[] = [];
  for (const { txid, delta, status } of entries) {
    const height = heightOf(status);
    const block = blocks.get(height) ?? (await getBlock(view, height));
    blocks.set(height, block);
    const behind = balance;
    balance -= delta;
    if (!matches(delta)) continue;
    const time = new Date(block.time * 1_000).toISOString();
    const amounts = `${formatAmount(delta, decimals)},${formatAmount(behind, decimals)}`;
    lines.push(`${time},${height},${toDisplayHash(txid)},${amounts}\r\n`);
  }
  const last = entries.at(-1);
  if (last !== undefined && entries.length === LINES_AT_ONCE) {
    const height = heightOf(last.status);
    return { lines, next: { txId: last.txId, height, hash: blocks.get(height)!.hash, balance } };
  }
  if (balance !== (await balanceBelow(reads, span.fromTxId)))
    throw new Error('the lines of a table do not sum up to the balance');
  return { lines, next: undefined };
}

/** What the script had before a transaction; undefined: what it has. */
async function balanceBelow(reads: ScriptReads, txId: number | undefined): Promise<bigint> {
  if (txId === 0) return 0n;
  if (txId !== undefined) return (await reads.listBalances([txId]))[0] ?? 0n;
  const { fundedSum, spentSum } = await reads.getStats();
  return fundedSum - spentSum;
}

function heightOf(status: HistoryEntry['status']): number {
  if (!status.confirmed) throw new Error('a line of the chain is not confirmed');
  return status.height;
}

async function getBlock(view: ChainView, height: number): Promise<BlockName> {
  const block = await view.nameBlockAt(height);
  if (block === undefined) throw new Error(`the index has no block ${height}`);
  return block;
}
