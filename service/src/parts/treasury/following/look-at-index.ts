/** Compares the ledger with the index, and says what has to be done next. */

import { getHexBytes, toDisplayHash } from '@coinfront/protocol/bytes.ts';
import type { ChainView } from '../../../chain/chain-view.ts';
import type { Place } from '../ledger/ledger-draft.ts';
import type { Standing } from '../ledger/standing-blocks.ts';
import type { CursorTable, EntryTable } from '../schema/treasury-tables.ts';
import type { FoundScripts } from '../scripts/own-scripts.ts';
import type { TreasuryRecordContext } from '../treasury-context.ts';
import { type ConfirmedTx, readBlocks } from './read-transactions.ts';

/** What a look at the index says has to be done. */
export type Step =
  | { kind: 'none' }
  | { kind: 'reverse'; to: Place; entries: EntryTable[] }
  | { kind: 'append'; to: Place; txs: ConfirmedTx[]; scripts: string[] };

/** How far the ledger is, and the scripts that it covers beside that of the treasury's address, hex. */
export type Kept = { cursor: CursorTable; known: readonly string[] };

/**
 * Looks.
 *
 * @param standing the highest blocks of what stands, where they were asked for
 * @returns `parted` when the entries that stand have to be known
 */
export type Look = (kept: Kept, standing: Standing | undefined) => Promise<Step | 'parted'>;

/** Transactions of one commit, unless one block has more. */
const TXS_PER_COMMIT = 200;
const BLOCKS_AT_ONCE = { first: 500, most: 20_000 };

/** Opens the comparison. */
export function createLook(
  context: Pick<TreasuryRecordContext, 'readChain' | 'treasury' | 'findOwnScripts'>,
): Look {
  const { readChain, treasury, findOwnScripts } = context;
  let blocksAtOnce = BLOCKS_AT_ONCE.first;
  /** Whether the ledger has all that its scripts ever did up to the cursor; found out at the start. */
  let isCovered = false;

  const append = async (view: ChainView, { cursor, known }: Kept, scripts: FoundScripts): Promise<Step> => {
    const tip = view.tip!;
    const fresh = scripts.used.filter((each) => each !== cursor.script && !known.includes(each));
    for (;;) {
      const end = Math.min(tip.height, cursor.height + blocksAtOnce);
      const upTo = end === tip.height ? tip : (await view.findBlockAt(end))!;
      const most = end === cursor.height + 1 ? Number.MAX_SAFE_INTEGER : TXS_PER_COMMIT;
      const { marker } = treasury;
      const txs = await readBlocks(view, { marker, scripts }, { above: cursor.height, upTo, most });
      if (txs !== undefined) {
        blocksAtOnce = Math.min(2 * blocksAtOnce, BLOCKS_AT_ONCE.most);
        const to = { height: end, hash: toDisplayHash(upTo.hash) };
        return { kind: 'append', to, txs, scripts: fresh };
      }
      blocksAtOnce = Math.max(1, Math.floor((end - cursor.height) / 2));
    }
  };

  return (kept, standing) =>
    readChain(async (view) => {
      const { cursor } = kept;
      if (view.tip === undefined) return { kind: 'none' };
      if (await isInChain(view, cursor)) {
        if (isCovered && cursor.height >= view.tip.height) return { kind: 'none' };
        const scripts = await findOwnScripts(view, kept.known);
        const missed = await findMissed(view, kept, scripts);
        isCovered = missed === undefined;
        if (missed === undefined)
          return cursor.height >= view.tip.height ? { kind: 'none' } : await append(view, kept, scripts);
        return standing === undefined ? 'parted' : await findReversal(view, standing, missed);
      }
      // An index that is being rebuilt says nothing of what left the chain.
      if ((await view.getSynced()) === undefined) return { kind: 'none' };
      if (standing === undefined) return 'parted';
      return await findReversal(view, standing, Number.POSITIVE_INFINITY);
    });
}

async function isInChain(view: ChainView, { height, hash }: Place): Promise<boolean> {
  if (height < 0) return true;
  const block = await view.findBlockAt(height);
  return block !== undefined && toDisplayHash(block.hash) === hash;
}

/** The lowest block that paid a script which the ledger does not cover, if the ledger is past it. */
async function findMissed(
  view: ChainView,
  { cursor, known }: Kept,
  { used }: FoundScripts,
): Promise<number | undefined> {
  let lowest: number | undefined;
  for (const script of used) {
    if (script === cursor.script || known.includes(script)) continue;
    const first = await view.findFirstOutput(getHexBytes(script));
    if (first !== undefined && first.height <= cursor.height)
      lowest = Math.min(lowest ?? first.height, first.height);
  }
  return lowest;
}

/**
 * The blocks whose entries are to be taken back: those that left the chain, or are not below a height. Below the first other one there are
 * none: the ledger is kept in the order of the chain.
 *
 * The cursor goes with them, to the highest block of what stands then. So it is never above what the ledger has, wherever this ends.
 */
async function findReversal(view: ChainView, { entries, next }: Standing, below: number): Promise<Step> {
  const reversed: EntryTable[] = [];
  for (const entry of entries) {
    const place = { height: entry.height, hash: entry.block_hash };
    if (entry.height < below && (await isInChain(view, place)))
      return { kind: 'reverse', to: place, entries: reversed };
    reversed.push(entry);
  }
  return { kind: 'reverse', to: next ?? { height: -1, hash: '' }, entries: reversed };
}
