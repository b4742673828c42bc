/** Keeps the ledger in step with the index: entries for blocks that come, reversals for blocks that leave. */

import { bytesToHex, getHexBytes, toDisplayHash } from '@coinfront/protocol/bytes.ts';
import type { ChainView } from '../../../chain/chain-view.ts';
import type { Place } from '../ledger/ledger-draft.ts';
import { emptyTotals, writeTotals } from '../ledger/ledger-rules.ts';
import { createCursor, findCursor, holdCursor, listStanding } from '../ledger/ledger-store.ts';
import { sealEntries } from '../ledger/seal-entries.ts';
import type { CursorTable, EntryTable, TreasuryTables } from '../schema/treasury-tables.ts';
import type { FoundScripts } from '../scripts/own-scripts.ts';
import { listScripts } from '../scripts/script-store.ts';
import type { TreasuryRecordContext } from '../treasury-context.ts';
import { appendBlocks } from './append-blocks.ts';
import { type ConfirmedTx, readBlocks } from './read-transactions.ts';
import { reverseEntries } from './reverse-entries.ts';

/** Somebody else has moved the cursor meanwhile; the round begins anew. */
class CursorMovedError extends Error {
  override readonly name = 'CursorMovedError';
}

/** Transactions of one commit, unless one block has more. */
const TXS_PER_COMMIT = 200;
const BLOCKS_AT_ONCE = { first: 500, most: 20_000 };
const ENTRIES_AT_ONCE = 500;
const SEALS_AT_ONCE = 2_000;

/** What a look at the index says has to be done. */
type Step =
  | { kind: 'none' }
  | { kind: 'reverse'; to: Place; entries: EntryTable[] }
  | { kind: 'append'; to: Place; txs: ConfirmedTx[]; scripts: string[] };

/** What the ledger is of and how far it is. */
type Kept = { cursor: CursorTable; known: string[] };

export type LedgerRecorder = {
  /**
   * Takes the ledger one step towards the tip of the index, in one transaction.
   *
   * @returns whether there may be more to do
   * @throws Error when the ledger was kept for another address
   */
  step(): Promise<boolean>;
};

/** Opens the recorder. Any number may run: of two that read the same cursor one writes. */
export function openLedgerRecorder(context: TreasuryRecordContext): LedgerRecorder {
  const { precious, readChain, treasury, findOwnScripts } = context;
  const script = bytesToHex(treasury.script);
  let blocksAtOnce = BLOCKS_AT_ONCE.first;
  let isSealed = false;
  /** Whether the ledger has all that its scripts ever did up to the cursor; found out at the start. */
  let isCovered = false;

  const readCursor = async (): Promise<CursorTable> => {
    const db = precious.query<TreasuryTables>();
    let cursor = await findCursor(db);
    if (cursor === undefined) {
      await precious.transaction<TreasuryTables, void>((trx) =>
        createCursor(trx, script, writeTotals(emptyTotals())),
      );
      cursor = (await findCursor(db))!;
    }
    if (cursor.script !== script) {
      throw new Error(
        'The ledger was kept for another treasury address. Restore the address in the coin profile, or give the service ' +
          'a fresh precious database.',
      );
    }
    return cursor;
  };

  const append = async (view: ChainView, { cursor, known }: Kept, scripts: FoundScripts): Promise<Step> => {
    const tip = view.tip!;
    const fresh = scripts.used.filter((each) => each !== script && !known.includes(each));
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

  const look = (kept: Kept, standing: readonly EntryTable[] | undefined): Promise<Step | 'parted'> =>
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
        return standing === undefined ? 'parted' : await findReversal(view, cursor, standing, missed);
      }
      // An index that is being rebuilt says nothing of what left the chain.
      if ((await view.getSynced()) === undefined) return { kind: 'none' };
      if (standing === undefined) return 'parted';
      return await findReversal(view, cursor, standing, Number.POSITIVE_INFINITY);
    });

  /** Seals some of the entries that were written before there were seals. */
  const sealEarlier = async (cursor: CursorTable): Promise<void> => {
    const { signer, profile } = context;
    isSealed = await precious.transaction<TreasuryTables, boolean>(
      async (trx) =>
        (await holdCursor(trx, precious.engine, cursor)) &&
        !(await sealEntries(trx, { signer, ...profile }, SEALS_AT_ONCE)),
    );
  };

  return {
    async step() {
      const cursor = await readCursor();
      if (!isSealed) {
        await sealEarlier(cursor);
        return true;
      }
      const kept = { cursor, known: await listScripts(precious.query<TreasuryTables>()) };
      let step = await look(kept, undefined);
      if (step === 'parted') {
        const standing = await listStanding(
          precious.query<TreasuryTables>(),
          cursor.sequence + 1,
          ENTRIES_AT_ONCE,
        );
        step = await look(kept, standing);
      }
      if (step === 'parted' || step.kind === 'none') return false;
      const { kind } = step;
      try {
        await precious.transaction<TreasuryTables, void>(async (trx) => {
          if (!(await holdCursor(trx, precious.engine, cursor))) throw new CursorMovedError();
          if (kind === 'append') await appendBlocks(trx, context, cursor, step);
          else await reverseEntries(trx, context, cursor, step);
        });
      } catch (error) {
        if (!(error instanceof CursorMovedError)) throw error;
      }
      return true;
    },
  };
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
 * The entries whose blocks left the chain, or are not below a height, newest first. Below the first other one there are none: the
 * ledger is kept in the order of the chain.
 */
async function findReversal(
  view: ChainView,
  cursor: CursorTable,
  standing: readonly EntryTable[],
  below: number,
): Promise<Step> {
  const entries: EntryTable[] = [];
  for (const entry of standing) {
    const place = { height: entry.height, hash: entry.block_hash };
    if (entry.height < below && (await isInChain(view, place)))
      return { kind: 'reverse', to: place, entries };
    entries.push(entry);
  }
  // Either no entry is left below, or the rest follows with the next step: the cursor then stays where it is.
  const to =
    standing.length < ENTRIES_AT_ONCE
      ? { height: -1, hash: '' }
      : { height: cursor.height, hash: cursor.hash };
  return { kind: 'reverse', to, entries };
}
