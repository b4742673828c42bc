/** Reads the log of receipts. */

import type { Receipt } from '@coinfront/protocol/registry/receipt.ts';
import type { RegistryQuery, RegistryReceiptTable } from '../schema/registry-tables.ts';

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

/** The receipt of a stored text. */
export function readReceipt({ text }: Pick<StoredReceipt, 'text'>): Receipt {
  return JSON.parse(text) as Receipt;
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
