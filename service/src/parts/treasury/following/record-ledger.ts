/** Keeps the ledger in step with the index: entries for blocks that come, reversals for blocks that leave. */

import { bytesToHex, toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { endedEpoch } from '@coinfront/protocol/treasury/ledger-head.ts';
import { applySayings } from '../assignments/apply-sayings.ts';
import { hasWaitingAssignments } from '../assignments/assignment-store.ts';
import { hasWaitingNotes } from '../assignments/note-store.ts';
import { logLedgerHead } from '../ledger/ledger-log.ts';
import { emptyTotals, writeTotals } from '../ledger/ledger-rules.ts';
import { createCursor, findCursor, holdCursor } from '../ledger/ledger-store.ts';
import { sealEntries } from '../ledger/seal-entries.ts';
import { listStanding } from '../ledger/standing-blocks.ts';
import type { CursorTable, TreasuryTables } from '../schema/treasury-tables.ts';
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

  /** Whether the ledger is at the tip of an index that has what the node had: of a chain that is read anew, nothing is logged on the way. */
  const isWhole = ({ hash }: CursorTable): Promise<boolean> =>
    context.readChain(
      async (view) =>
        view.tip !== undefined &&
        toDisplayHash(view.tip.hash) === hash &&
        (await view.getSynced()) !== undefined,
    );

  /** At the end of an epoch the head of the ledger is logged, unless the log has it. */
  const logHead = async (cursor: CursorTable): Promise<void> => {
    const { signer, profile, epochBlocks, now } = context;
    const epoch = endedEpoch(cursor.height, epochBlocks) ?? -1;
    if (epoch <= loggedEpoch || !(await isWhole(cursor))) return;
    const rules = { signer, network: profile.genesisHash, epochBlocks };
    const isHeld = await precious.transaction<TreasuryTables, boolean>(async (trx) => {
      if (!(await holdCursor(trx, precious.engine, cursor))) return false;
      await logLedgerHead(trx, rules, { height: cursor.height, nowMs: now() });
      return true;
    });
    if (isHeld) loggedEpoch = epoch;
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
        await logHead(cursor);
        return false;
      }
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
