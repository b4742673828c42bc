import { bytesToHex, concatBytes } from '@coinfront/protocol/bytes.ts';
import { rootOfDigests, rootOfParts } from '@coinfront/protocol/proofs/part-paths.ts';
import { sql } from 'kysely';
import type { Precious } from '../../../db/precious.ts';
import { findNewestBatch, insertPart, listPartRoots, openBatch, sealBatch } from './batch-store.ts';
import {
  type CalendarBatchTable,
  type CalendarQuery,
  type CalendarTables,
  LEAVES_OF_PART,
  PARTS_OF_BATCH,
} from './calendar-tables.ts';
import { listPending, moveToPart } from './pending-store.ts';

/** Any fixed number: the name of the calendar among the advisory locks of the database. */
const CALENDAR_LOCK = 0x63616c65;

/**
 * Makes a tree of all digests that wait, when one is due. It is built part by part, each in a short transaction that moves its digests:
 * interrupted anywhere, it is gone on with. A digest is either among those that wait or in a part, so none is lost, and none is in two.
 */
export async function sealDue(
  precious: Precious,
  { intervalMs, now, signal }: { intervalMs: number; now: () => number; signal: AbortSignal },
): Promise<void> {
  for (let goesOn = true; goesOn && !signal.aborted; ) {
    goesOn = await precious.transaction<CalendarTables, boolean>(async (trx) => {
      if (precious.engine === 'postgres')
        await sql`select pg_advisory_xact_lock(${CALENDAR_LOCK})`.execute(trx);
      const newest = await findNewestBatch(trx);
      if (newest !== undefined && !mayAdd(newest, now(), intervalMs)) return false;
      return await addPart(trx, newest, now());
    });
  }
}

/**
 * Not while a root has no transaction, whose digests others would only wait behind, and not before the interval is over. A tree of a time that is
 * yet to come was made by a clock that was ahead: nobody waits for it.
 */
function mayAdd({ state, sealed_at }: CalendarBatchTable, nowMs: number, intervalMs: number): boolean {
  if (state === 'open') return true;
  return state !== 'sealed' && (nowMs - sealed_at >= intervalMs || sealed_at > nowMs);
}

/** Adds a part to the open tree, and fixes its root when the part is the last. True when there is more to add. */
async function addPart(
  trx: CalendarQuery,
  newest: CalendarBatchTable | undefined,
  nowMs: number,
): Promise<boolean> {
  const digests = await listPending(trx, LEAVES_OF_PART);
  const isOpen = newest?.state === 'open';
  if (digests.length === 0 && !isOpen) return false;
  const id = isOpen ? newest.id : (newest?.id ?? -1) + 1;
  if (!isOpen) await openBatch(trx, id);
  const before = await listPartRoots(trx, id);
  const roots = [...before];
  if (digests.length > 0) {
    const part = id * PARTS_OF_BATCH + before.length;
    const packed = concatBytes(...digests);
    const root = rootOfDigests(packed);
    await insertPart(trx, { id: part, root, digests: packed });
    await moveToPart(trx, digests, part);
    roots.push(root);
  }
  if (digests.length === LEAVES_OF_PART && roots.length < PARTS_OF_BATCH) return true;
  const size = before.length * LEAVES_OF_PART + digests.length;
  await sealBatch(trx, { id, size, root: bytesToHex(rootOfParts(concatBytes(...roots))), sealed_at: nowMs });
  return false;
}
