/** Keeps the ledger in step with the index: entries for blocks that come, reversals for blocks that leave. */

import { bytesToHex, toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { endedEpoch } from '@coinfront/protocol/treasury/ledger-head.ts';
import { LogBrokenError } from '../../../signed-log/log-store.ts';
import { applySayings } from '../assignments/apply-sayings.ts';
import { hasWaitingAssignments } from '../assignments/assignment-store.ts';
import { hasWaitingNotes } from '../assignments/note-store.ts';
import { EpochsChangedError, logLedgerHead } from '../ledger/ledger-log.ts';
import { emptyTotals, writeTotals } from '../ledger/ledger-rules.ts';
import { createCursor, findCursor, holdCursor } from '../ledger/ledger-store.ts';
import { sealEntries } from '../ledger/seal-entries.ts';
import { listStanding } from '../ledger/standing-blocks.ts';
import type { CursorTable, TreasuryQuery, TreasuryTables } from '../schema/treasury-tables.ts';
import { listScripts } from '../scripts/script-store.ts';
import type { TreasuryRecordContext } from '../treasury-context.ts';
import { appendBlocks } from './append-blocks.ts';
import { createLook } from './look-at-index.ts';
import { reverseEntries } from './reverse-entries.ts';

/** Somebody else has moved the cursor meanwhile; the round begins anew. */
class CursorMovedError extends Error {
  override readonly name = 'CursorMovedError';
}

const SEALS_AT_ONCE = 2_000;
/** Entries that one step takes back, unless one block has more. */
const ENTRIES_AT_ONCE = 500;

/** {@link openLedgerRecorder} tells of it when the ledger stands still. */
function ignoreWrongLog(error: unknown): undefined {
  if (error instanceof LogBrokenError || error instanceof EpochsChangedError) return undefined;
  throw error;
}

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
export function openLedgerRecorder(
  context: TreasuryRecordContext,
  { entriesAtOnce = ENTRIES_AT_ONCE }: { entriesAtOnce?: number } = {},
): LedgerRecorder {
  const { precious, treasury } = context;
  const script = bytesToHex(treasury.script);
  const look = createLook(context);
  let isSealed = false;
  /** The newest epoch at whose end it was seen to that the log has the head of the ledger. */
  let loggedEpoch = -1;

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

  /** Seals some of the entries that were written before there were seals. */
  const sealEarlier = async (cursor: CursorTable): Promise<void> => {
    const { signer, profile } = context;
    isSealed = await precious.transaction<TreasuryTables, boolean>(
      async (trx) =>
        (await holdCursor(trx, precious.engine, cursor)) &&
        !(await sealEntries(trx, { signer, ...profile }, SEALS_AT_ONCE)),
    );
  };

  /** Writes what was said of gifts and spends since the last step. */
  const applyWaiting = async (cursor: CursorTable): Promise<boolean> => {
    const db = precious.query<TreasuryTables>();
    if (!(await hasWaitingAssignments(db)) && !(await hasWaitingNotes(db))) return false;
    return await precious.transaction<TreasuryTables, boolean>(
      async (trx) =>
        !(await holdCursor(trx, precious.engine, cursor)) || (await applySayings(trx, context, cursor)),
    );
  };

  /** Whether a block is the tip of an index that has what the node had: of a chain that is read anew, nothing is logged on the way. */
  const isWholeAt = (hash: string): Promise<boolean> =>
    context.readChain(
      async (view) =>
        view.tip !== undefined &&
        toDisplayHash(view.tip.hash) === hash &&
        (await view.getSynced()) !== undefined,
    );

  /**
   * Logs the head of a ledger that is at a block, where an epoch has ended and the log does not have it. The caller holds the cursor.
   *
   * @returns the epoch, where this was seen to
   * @throws LogBrokenError, EpochsChangedError
   */
  const logHead = async (
    trx: TreasuryQuery,
    { height, hash }: Pick<CursorTable, 'height' | 'hash'>,
  ): Promise<number | undefined> => {
    const { signer, profile, epochBlocks, now } = context;
    const epoch = endedEpoch(height, epochBlocks) ?? -1;
    if (epoch <= loggedEpoch || !(await isWholeAt(hash))) return undefined;
    await logLedgerHead(trx, { signer, network: profile.genesisHash, epochBlocks }, { height, nowMs: now() });
    return epoch;
  };

  /** For a ledger that stands still; what is wrong with the log is told here. */
  const logStandingHead = async (cursor: CursorTable): Promise<void> => {
    if ((endedEpoch(cursor.height, context.epochBlocks) ?? -1) <= loggedEpoch) return;
    const logged = await precious.transaction<TreasuryTables, number | undefined>(async (trx) =>
      (await holdCursor(trx, precious.engine, cursor)) ? await logHead(trx, cursor) : undefined,
    );
    loggedEpoch = logged ?? loggedEpoch;
  };

  return {
    async step() {
      const cursor = await readCursor();
      if (!isSealed) {
        await sealEarlier(cursor);
        return true;
      }
      if (await applyWaiting(cursor)) return true;
      const kept = { cursor, known: await listScripts(precious.query<TreasuryTables>()) };
      let step = await look(kept, undefined);
      if (step === 'parted') {
        const standing = await listStanding(precious.query<TreasuryTables>(), entriesAtOnce);
        step = await look(kept, standing);
      }
      if (step === 'parted') return false;
      if (step.kind === 'none') {
        await logStandingHead(cursor);
        return false;
      }
      const { kind } = step;
      try {
        const logged = await precious.transaction<TreasuryTables, number | undefined>(async (trx) => {
          if (!(await holdCursor(trx, precious.engine, cursor))) throw new CursorMovedError();
          if (kind !== 'append') {
            await reverseEntries(trx, context, cursor, step);
            return undefined;
          }
          await appendBlocks(trx, context, cursor, step);
          // With the block that ends an epoch, so that the head has no entry of the next one. A log that is wrong stops no ledger.
          return await logHead(trx, step.to).catch(ignoreWrongLog);
        });
        loggedEpoch = logged ?? loggedEpoch;
      } catch (error) {
        if (!(error instanceof CursorMovedError)) throw error;
      }
      return true;
    },
  };
}
