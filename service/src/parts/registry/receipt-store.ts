/** Reads the log of receipts and its epochs. */

import type { EpochSummary, Receipt } from '@coinfront/protocol/registry/receipt.ts';
import type { RegistryEpochTable, RegistryQuery, RegistryReceiptTable } from './registry-tables.ts';

/** A receipt as it is kept. */
export type StoredReceipt = {
  sequence: number;
  epoch: number;
  nodeKey: string | null;
  hash: string;
  /** As RFC 8785 writes it. */
  text: string;
  signature: string;
};

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

function toReceipt(row: RegistryReceiptTable): StoredReceipt {
  const { sequence, epoch, node_key, hash, document, signature } = row;
  return {
    sequence: Number(sequence),
    epoch: Number(epoch),
    nodeKey: node_key,
    hash,
    text: document,
    signature,
  };
}

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

/** The receipt of a stored text. */
export function readReceipt({ text }: Pick<StoredReceipt, 'text'>): Receipt {
  return JSON.parse(text) as Receipt;
}

/** The summary of a stored text. */
export function readSummary({ text }: Pick<StoredEpoch, 'text'>): EpochSummary {
  return JSON.parse(text) as EpochSummary;
}

/** The newest receipt. */
export async function findLastReceipt(db: RegistryQuery): Promise<StoredReceipt | undefined> {
  const row = await db
    .selectFrom('registry_receipt')
    .selectAll()
    .orderBy('sequence', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row && toReceipt(row);
}

/** A receipt by its place. */
export async function findReceipt(db: RegistryQuery, sequence: number): Promise<StoredReceipt | undefined> {
  const row = await db
    .selectFrom('registry_receipt')
    .selectAll()
    .where('sequence', '=', sequence)
    .executeTakeFirst();
  return row && toReceipt(row);
}

/** Receipts below a place, newest first: all, or those of a node. */
export async function listReceipts(
  db: RegistryQuery,
  options: { below: number | undefined; nodeKey: string | undefined; limit: number },
): Promise<StoredReceipt[]> {
  let query = db.selectFrom('registry_receipt').selectAll().orderBy('sequence', 'desc').limit(options.limit);
  if (options.below !== undefined) query = query.where('sequence', '<', options.below);
  if (options.nodeKey !== undefined) query = query.where('node_key', '=', options.nodeKey);
  return (await query.execute()).map(toReceipt);
}

/** Receipts from a place on, in their order. */
export async function listReceiptsUp(
  db: RegistryQuery,
  from: number,
  limit: number,
): Promise<StoredReceipt[]> {
  const rows = await db
    .selectFrom('registry_receipt')
    .selectAll()
    .where('sequence', '>=', from)
    .orderBy('sequence')
    .limit(limit)
    .execute();
  return rows.map(toReceipt);
}

/** Hashes of the receipts from one place to another, both included, in their order. */
export async function listHashes(db: RegistryQuery, from: number, to: number): Promise<string[]> {
  const rows = await db
    .selectFrom('registry_receipt')
    .select('hash')
    .where('sequence', '>=', from)
    .where('sequence', '<=', to)
    .orderBy('sequence')
    .execute();
  return rows.map(({ hash }) => hash);
}

/** The place of an epoch's first receipt; the epoch has one. */
export async function findFirstSequence(db: RegistryQuery, epoch: number): Promise<number> {
  const { sequence } = await db
    .selectFrom('registry_receipt')
    .select('sequence')
    .where('epoch', '=', epoch)
    .orderBy('sequence')
    .limit(1)
    .executeTakeFirstOrThrow();
  return Number(sequence);
}

/** How many receipts an epoch has, and the first of them. */
export async function countEpoch(
  db: RegistryQuery,
  epoch: number,
): Promise<{ receipts: number; firstSequence: number | undefined }> {
  const row = await db
    .selectFrom('registry_receipt')
    .select(({ fn }) => [fn.countAll<number>().as('receipts'), fn.min<number | null>('sequence').as('first')])
    .where('epoch', '=', epoch)
    .executeTakeFirstOrThrow();
  return {
    receipts: Number(row.receipts),
    firstSequence: row.first === null ? undefined : Number(row.first),
  };
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
