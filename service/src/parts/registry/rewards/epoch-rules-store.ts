/** Which rules the rewards of an epoch are shared by: those that it began under. */

import type { RegistryQuery } from '../schema/registry-tables.ts';
import { type EpochRules, REWARD_RULES } from './reward-rules.ts';

/**
 * Says that an epoch begins now, with its first receipt.
 *
 * @param asTable SHA-256 of the table of autonomous systems
 * @param vantages keys of the vantage points, ascending
 */
export async function beginEpoch(
  trx: RegistryQuery,
  epoch: number,
  { asTable, vantages }: { asTable: string | undefined; vantages: readonly string[] },
): Promise<void> {
  const named = vantages.length === 0 ? null : vantages.join();
  await trx
    .insertInto('registry_epoch_rules')
    .values({
      ...{ epoch, rules: REWARD_RULES, slots: 0, last_slot_end: null },
      ...{ as_table: asTable ?? null, vantages: named },
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Counts a slot in which somebody passed or failed; once, however often it is said. */
export async function countSlot(trx: RegistryQuery, epoch: number, slotEndMs: number): Promise<void> {
  await trx
    .updateTable('registry_epoch_rules')
    .set((eb) => ({ slots: eb('slots', '+', 1), last_slot_end: slotEndMs }))
    .where('epoch', '=', epoch)
    .where((eb) => eb.or([eb('last_slot_end', 'is', null), eb('last_slot_end', '!=', slotEndMs)]))
    .execute();
}

/** The rules of an epoch; one without receipts would begin under the present ones. */
export async function findEpochRules(db: RegistryQuery, epoch: number): Promise<EpochRules> {
  const row = await db
    .selectFrom('registry_epoch_rules')
    .selectAll()
    .where('epoch', '=', epoch)
    .executeTakeFirst();
  if (row !== undefined)
    return {
      ...{ rules: Number(row.rules), slots: Number(row.slots), asTable: row.as_table },
      vantages: row.vantages?.split(',') ?? [],
    };
  const receipt = await db
    .selectFrom('registry_receipt')
    .select('sequence')
    .where('epoch', '=', epoch)
    .limit(1)
    .executeTakeFirst();
  return { rules: receipt === undefined ? REWARD_RULES : 1, slots: 0, asTable: null, vantages: [] };
}
