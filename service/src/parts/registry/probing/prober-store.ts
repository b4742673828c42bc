/** The one row that says who looks at nodes: of all processes that could, one holds the lease. */

import type { RegistryProberTable, RegistryQuery } from '../schema/registry-tables.ts';

const ROW = 1;
/** No lease is for longer, however far the clocks of two machines are apart. */
const MAX_LEASE_MS = 3_600_000;

/** The prober as it is known to all processes. */
export async function findProber(db: RegistryQuery): Promise<RegistryProberTable | undefined> {
  const row = await db.selectFrom('registry_prober').selectAll().where('id', '=', ROW).executeTakeFirst();
  return row && toProber(row);
}

function toProber(row: RegistryProberTable): RegistryProberTable {
  return {
    ...row,
    epoch_blocks: Number(row.epoch_blocks),
    lease_until: Number(row.lease_until),
    slot_end: row.slot_end === null ? null : Number(row.slot_end),
    last_run_at: row.last_run_at === null ? null : Number(row.last_run_at),
  };
}

/** What a prober says of itself when it takes the lease. */
export type ProberClaim = {
  holder: string;
  registryKey: string;
  epochBlocks: number;
  nowMs: number;
  leaseUntilMs: number;
  /** Takes it from whoever has it: where the database belongs to one process, that one is gone. */
  takeOver: boolean;
};

/** Takes or renews the lease; false while another holds it. */
export async function holdLease(db: RegistryQuery, claim: ProberClaim): Promise<boolean> {
  const { holder, registryKey, epochBlocks, nowMs, leaseUntilMs, takeOver } = claim;
  const values = {
    holder,
    registry_key: registryKey,
    epoch_blocks: epochBlocks,
    lease_until: leaseUntilMs,
    last_run_at: nowMs,
  };
  const row = await db
    .insertInto('registry_prober')
    .values({ id: ROW, ...values, slot_end: null, own_state: null })
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet(values)
        .where((eb) =>
          takeOver
            ? eb.lit(true)
            : eb.or([
                eb('registry_prober.holder', '=', holder),
                eb('registry_prober.lease_until', '<', nowMs),
                // Nobody takes it for so long: a clock was ahead, and is not any more.
                eb('registry_prober.lease_until', '>', nowMs + MAX_LEASE_MS),
              ]),
        ),
    )
    .returning('holder')
    .executeTakeFirst();
  return row?.holder === holder;
}

/** Lets the lease go, so that another need not wait for its end. */
export async function releaseLease(db: RegistryQuery, holder: string, nowMs: number): Promise<void> {
  await db
    .updateTable('registry_prober')
    .set({ lease_until: nowMs - 1 })
    .where('holder', '=', holder)
    .execute();
}

/** Says what the prober sees of its own node. */
export async function saveOwnState(db: RegistryQuery, holder: string, state: string): Promise<void> {
  await db.updateTable('registry_prober').set({ own_state: state }).where('holder', '=', holder).execute();
}

/** Another process looks at nodes now. */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError';
}

/**
 * Within a transaction that is to write: says that slots up to here are done.
 * @throws LeaseLostError when another has taken the lease
 */
export async function saveSlotEnd(
  trx: RegistryQuery,
  holder: string,
  slotEndMs: number | undefined,
): Promise<void> {
  const row = await trx
    .updateTable('registry_prober')
    .set((eb) => ({ slot_end: slotEndMs ?? eb.ref('slot_end') }))
    .where('id', '=', ROW)
    .where('holder', '=', holder)
    .returning('id')
    .executeTakeFirst();
  if (row === undefined) throw new LeaseLostError('Another process looks at nodes.');
}
