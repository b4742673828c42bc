/** Requests to anchor that the operator's wallet pays for: one row a digest, so that no digest gets two transactions. */

import { type Kysely, sql } from 'kysely';
import { dayOf } from '../../clients/client-names.ts';
import type { Migrations, Precious, Query } from '../../db/precious.ts';

/**
 * A request. `preparing`: nothing is fixed or sent; who has the turn to sign may make its transaction, and after
 * `claimed_until` it is forgotten. `signed`: its one transaction is fixed and may have been sent. `sent`: the node took it.
 */
export type AnchorRequestTable = {
  /** Hex; of a transaction that pays for another one its txid, see {@link isFeeChild}. */
  digest: string;
  state: 'preparing' | 'signed' | 'sent';
  /** UTC day as a number of days since 1970: the budget is counted by it. */
  day: number;
  /** Who asked, and the /56 and /48 around it where there is one: names of the day, with spaces between them. */
  client: string;
  txid: string | null;
  raw_tx: string | null;
  /** Unix milliseconds. */
  claimed_until: number;
  created_at: number;
};

/** Coins (`txid:vout`) of the transactions that are fixed: two never spend the same one. */
export type AnchorCoinTable = { coin: string; digest: string };

export type AnchorTables = { anchor_request: AnchorRequestTable; anchor_coin: AnchorCoinTable };
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
    await sql.raw('create table anchor_coin (coin text primary key, digest text not null)').execute(db);
    await sql.raw('create index anchor_coin_digest on anchor_coin (digest)').execute(db);
  },
  // What is there was hashed without a key.
  '0018_proof_clients': async (db: Kysely<unknown>) => {
    await sql.raw("update anchor_request set client = ''").execute(db);
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

/**
 * How many requests of clients there are on a day: in all, or of one client or network by its name of the day. What the service anchors of
 * its own is not counted.
 */
export async function countRequests(db: AnchorQuery, day: number, client?: string): Promise<number> {
  let query = db
    .selectFrom('anchor_request')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('day', '=', day)
    .where('client', '!=', '');
  if (client !== undefined) query = query.where('client', 'like', `%${client}%`);
  return Number((await query.executeTakeFirstOrThrow()).count);
}

/** Those of these coins that a fixed transaction spends. */
export async function listTakenCoins(db: AnchorQuery, coins: readonly string[]): Promise<string[]> {
  const rows = await db.selectFrom('anchor_coin').select('coin').where('coin', 'in', coins).execute();
  return rows.map(({ coin }) => coin);
}

/**
 * Fixes the one transaction of a request that is still being prepared; false when it no longer is, or one of the coins
 * is another's by now.
 */
export async function saveSigned(
  precious: Precious,
  digest: string,
  { rawTxHex, txid, coins }: { rawTxHex: string; txid: string; coins: readonly string[] },
): Promise<boolean> {
  return await precious.transaction<AnchorTables, boolean>(async (trx) => {
    if ((await listTakenCoins(trx, coins)).length > 0) return false;
    const saved = await trx
      .updateTable('anchor_request')
      .set({ state: 'signed', raw_tx: rawTxHex, txid })
      .where('digest', '=', digest)
      .where('state', '=', 'preparing')
      .returning('digest')
      .executeTakeFirst();
    if (saved === undefined) return false;
    await trx
      .insertInto('anchor_coin')
      .values(coins.map((coin) => ({ coin, digest })))
      .execute();
    return true;
  });
}

/** How the `digest` of a row begins that carries none: its transaction pays for the one that is named behind it. */
const FEE_CHILD = 'fee:';

/** Whether a row is no anchor, but pays for one. */
export function isFeeChild(digest: string): boolean {
  return digest.startsWith(FEE_CHILD);
}

/** Fixes a transaction that pays for another one, as those of anchors are fixed; its key, or undefined when a coin is taken by now. */
export async function insertFeeChild(
  precious: Precious,
  parentTxid: string,
  { rawTxHex, txid, coins }: { rawTxHex: string; txid: string; coins: readonly string[] },
  nowMs: number,
): Promise<string | undefined> {
  const digest = FEE_CHILD + parentTxid;
  return await precious.transaction<AnchorTables, string | undefined>(async (trx) => {
    if ((await listTakenCoins(trx, coins)).length > 0) return undefined;
    const isNew = await insertRequest(trx, {
      digest,
      state: 'signed',
      day: dayOf(nowMs),
      client: '',
      txid,
      raw_tx: rawTxHex,
      claimed_until: nowMs,
      created_at: nowMs,
    });
    if (!isNew) return undefined;
    await trx
      .insertInto('anchor_coin')
      .values(coins.map((coin) => ({ coin, digest })))
      .execute();
    return digest;
  });
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

/** Forgets a request with its transaction, which is deep in the chain or can never be mined. */
export async function removeRequest(precious: Precious, digest: string, txid: string): Promise<void> {
  await precious.transaction<AnchorTables, void>(async (trx) => {
    const removed = await trx
      .deleteFrom('anchor_request')
      .where('digest', '=', digest)
      .where('txid', '=', txid)
      .returning('digest')
      .executeTakeFirst();
    if (removed) await trx.deleteFrom('anchor_coin').where('digest', '=', digest).execute();
  });
}

/** Forgets those whose preparation was interrupted. */
export async function removeInterrupted(db: AnchorQuery, nowMs: number): Promise<void> {
  await db
    .deleteFrom('anchor_request')
    .where('state', '=', 'preparing')
    .where('claimed_until', '<', nowMs)
    .execute();
}

/** Where a list of requests goes on. */
export type RequestPlace = Pick<AnchorRequestTable, 'created_at' | 'digest'>;

/** Requests with a transaction, oldest first: one that spends the change of another comes after it. */
export async function listSigned(
  db: AnchorQuery,
  after: RequestPlace,
  limit: number,
): Promise<AnchorRequestTable[]> {
  return await db
    .selectFrom('anchor_request')
    .selectAll()
    .where('state', '!=', 'preparing')
    .where(({ eb, and, or }) =>
      or([
        eb('created_at', '>', after.created_at),
        and([eb('created_at', '=', after.created_at), eb('digest', '>', after.digest)]),
      ]),
    )
    .orderBy('created_at')
    .orderBy('digest')
    .limit(limit)
    .execute();
}

/** Forgets a request whose transaction can never be mined, and all whose transactions build on it. */
export async function removeDead(precious: Precious, digest: string, txid: string): Promise<void> {
  await precious.transaction<AnchorTables, void>(async (trx) => {
    const dead = [{ digest, txid: txid as string | null }];
    for (let next = dead.pop(); next !== undefined; next = dead.pop()) {
      if (next.txid !== null)
        dead.push(
          ...(await trx
            .selectFrom('anchor_coin')
            .innerJoin('anchor_request', 'anchor_request.digest', 'anchor_coin.digest')
            .where('anchor_coin.coin', 'like', `${next.txid}:%`)
            .select(['anchor_request.digest', 'anchor_request.txid'])
            .execute()),
        );
      await trx.deleteFrom('anchor_coin').where('digest', '=', next.digest).execute();
      await trx.deleteFrom('anchor_request').where('digest', '=', next.digest).execute();
    }
  });
}
