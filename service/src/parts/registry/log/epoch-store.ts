/** Rows of closed epochs. */

import type { EpochSummary } from '@coinfront/protocol/registry/receipt.ts';
import type { RegistryEpochTable, RegistryQuery } from '../schema/registry-tables.ts';

/** A closed epoch as it is kept. */
export type StoredEpoch = {
  epoch: number;
  firstSequence: number;
  lastSequence: number;
  root: string;
  text: string;
  signature: string;
  closedAtMs: number;
  /** Base units; undefined where nothing was set aside. */
  reward: bigint | undefined;
};

function toEpoch(row: RegistryEpochTable): StoredEpoch {
  return {
    epoch: Number(row.epoch),
    firstSequence: Number(row.first_sequence),
    lastSequence: Number(row.last_sequence),
    root: row.root,
    text: row.document,
    signature: row.signature,
    closedAtMs: Number(row.closed_at),
    reward: row.reward === null ? undefined : BigInt(row.reward),
  };
}

/** The summary of a stored text. */
export function readSummary({ text }: Pick<StoredEpoch, 'text'>): EpochSummary {
  return JSON.parse(text) as EpochSummary;
}

/** A closed epoch. */
export async function findEpoch(db: RegistryQuery, epoch: number): Promise<StoredEpoch | undefined> {
  const row = await db.selectFrom('registry_epoch').selectAll().where('epoch', '=', epoch).executeTakeFirst();
  return row && toEpoch(row);
}

/** Closed epochs above one, oldest first. */
export async function listEpochsUp(
  db: RegistryQuery,
  above: number,
  limit: number,
): Promise<Pick<StoredEpoch, 'epoch' | 'text'>[]> {
  const rows = await db
    .selectFrom('registry_epoch')
    .select(['epoch', 'document'])
    .where('epoch', '>', above)
    .orderBy('epoch')
    .limit(limit)
    .execute();
  return rows.map(({ epoch, document }) => ({ epoch: Number(epoch), text: document }));
}

/** How many closed epochs come before one: its place among them. */
export async function countEpochsBefore(db: RegistryQuery, epoch: number): Promise<number> {
  const row = await db
    .selectFrom('registry_epoch')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('epoch', '<', epoch)
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

/** Closed epochs below one, newest first. */
export async function listEpochs(
  db: RegistryQuery,
  below: number | undefined,
  limit: number,
): Promise<StoredEpoch[]> {
  let query = db.selectFrom('registry_epoch').selectAll().orderBy('epoch', 'desc').limit(limit);
  if (below !== undefined) query = query.where('epoch', '<', below);
  return (await query.execute()).map(toEpoch);
}
