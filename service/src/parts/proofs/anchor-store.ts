/** Requests to anchor that the operator's wallet pays for: one row a digest, so that no digest gets two transactions. */

import { type Kysely, sql } from 'kysely';
import type { Migrations, Query } from '../../db/precious.ts';

/**
 * A request. `preparing`: nothing was sent, and nothing is known of it but that somebody works on it until
 * `claimed_until`. `signed`: its one transaction is fixed and may have been sent. `sent`: the node took it.
 */
export type AnchorRequestTable = {
  digest: string;
  state: 'preparing' | 'signed' | 'sent';
  /** UTC day as a number of days since 1970: the budget is counted by it. */
  day: number;
  /** Hash of the client's name and the day. */
  client: string;
  txid: string | null;
  raw_tx: string | null;
  /** Unix milliseconds. */
  claimed_until: number;
  created_at: number;
};

export type AnchorTables = { anchor_request: AnchorRequestTable };
type AnchorQuery = Query<AnchorTables>;

/** The schema of anchor requests. */
export const proofMigrations: Migrations = {
  '0002_proofs': async (db: Kysely<unknown>) => {
    await sql
      .raw(`create table anchor_request (
        digest text primary key, state text not null, day bigint not null, client text not null, txid text,
        raw_tx text, claimed_until bigint not null, created_at bigint not null)`)
      .execute(db);
    await sql.raw('create index anchor_request_day on anchor_request (day, client)').execute(db);
  },
};

/** The request of a digest. */
export async function findRequest(db: AnchorQuery, digest: string): Promise<AnchorRequestTable | undefined> {
  return await db.selectFrom('anchor_request').selectAll().where('digest', '=', digest).executeTakeFirst();
}

/** Takes up a request; false when the digest has one. */
export async function insertRequest(db: AnchorQuery, row: AnchorRequestTable): Promise<boolean> {
  const inserted = await db
    .insertInto('anchor_request')
    .values(row)
    .onConflict((conflict) => conflict.column('digest').doNothing())
    .returning('digest')
    .executeTakeFirst();
  return inserted !== undefined;
}

/** How many requests of a day there are, in all and of one client. */
export async function countRequests(
  db: AnchorQuery,
  day: number,
  client: string,
): Promise<{ all: number; ofClient: number }> {
  const rows = await db
    .selectFrom('anchor_request')
    .select((row) => ['client', row.fn.countAll<number>().as('count')])
    .where('day', '=', day)
    .groupBy('client')
    .execute();
  const counts = rows.map((row) => ({ client: row.client, count: Number(row.count) }));
  return {
    all: counts.reduce((sum, { count }) => sum + count, 0),
    ofClient: counts.find((row) => row.client === client)?.count ?? 0,
  };
}

/** Fixes the one transaction of a request that is still being prepared; false when it no longer is. */
export async function saveSigned(
  db: AnchorQuery,
  digest: string,
  { rawTxHex, txid }: { rawTxHex: string; txid: string },
): Promise<boolean> {
  const saved = await db
    .updateTable('anchor_request')
    .set({ state: 'signed', raw_tx: rawTxHex, txid })
    .where('digest', '=', digest)
    .where('state', '=', 'preparing')
    .returning('digest')
    .executeTakeFirst();
  return saved !== undefined;
}

/** The node has it. */
export async function saveSent(db: AnchorQuery, digest: string, txid: string): Promise<void> {
  await db
    .updateTable('anchor_request')
    .set({ state: 'sent' })
    .where('digest', '=', digest)
    .where('txid', '=', txid)
    .execute();
}

/** Forgets a request of which nothing was sent; whoever asks again begins anew. */
export async function removeUnsent(db: AnchorQuery, digest: string): Promise<void> {
  await db
    .deleteFrom('anchor_request')
    .where('digest', '=', digest)
    .where('state', '=', 'preparing')
    .execute();
}

/** Forgets a request: its transaction is deep in the chain, or can never be mined since another spent its coins. */
export async function removeRequest(db: AnchorQuery, digest: string, txid: string): Promise<void> {
  await db.deleteFrom('anchor_request').where('digest', '=', digest).where('txid', '=', txid).execute();
}

/** Forgets those whose preparation was interrupted. */
export async function removeInterrupted(db: AnchorQuery, nowMs: number): Promise<void> {
  await db
    .deleteFrom('anchor_request')
    .where('state', '=', 'preparing')
    .where('claimed_until', '<', nowMs)
    .execute();
}

/** Requests with a transaction, oldest first, after a digest. */
export async function listSigned(
  db: AnchorQuery,
  afterDigest: string,
  limit: number,
): Promise<AnchorRequestTable[]> {
  return await db
    .selectFrom('anchor_request')
    .selectAll()
    .where('state', '!=', 'preparing')
    .where('digest', '>', afterDigest)
    .orderBy('digest')
    .limit(limit)
    .execute();
}
