/** Rows of contributors. */

import type { NamedClient } from '../../clients/client-names.ts';
import type { ClientTables } from '../../clients/client-tables.ts';
import { takeDailyShare } from '../../clients/daily-share.ts';
import type { Precious } from '../../db/precious.ts';
import type { ContributorTable, TreasuryQuery, TreasuryTables } from './treasury-tables.ts';

const DAY_MS = 86_400_000;

/** What came of storing a contributor. */
export type Stored = 'stored' | 'secret_known' | 'nickname_taken' | 'day_full' | 'client_full';

/** Contributors that are registered a day (UTC): in all, and by one client unless that is not limited. */
export type ContributorBounds = { inAll: number; ofClient: number | undefined };

/** None of the networks around a client registers more than this part of the day's. */
const PART_OF_NETWORK = 10;

/** Stores a contributor, unless secret or nickname are another's or the day (UTC), or the client, has enough of them. */
export async function insertContributor(
  precious: Precious,
  row: ContributorTable,
  client: NamedClient,
  bounds: ContributorBounds,
): Promise<Stored> {
  return await precious
    .transaction<TreasuryTables & ClientTables, Stored>(async (trx) => {
      const stored = await insertInDay(trx, row, bounds.inAll);
      const { ofClient } = bounds;
      if (stored !== 'stored' || ofClient === undefined) return stored;
      const share = { ofClient, ofNetwork: Math.floor(bounds.inAll / PART_OF_NETWORK) };
      const full = await takeDailyShare(trx, 'contributor', client, share, row.created_at);
      // Taken back, and with it what was counted.
      if (full !== undefined) throw new ClientFullError();
      return stored;
    })
    .catch((error: unknown) => {
      if (error instanceof ClientFullError) return 'client_full';
      throw error;
    });
}

class ClientFullError extends Error {}

async function insertInDay(trx: TreasuryQuery, row: ContributorTable, dailyLimit: number): Promise<Stored> {
  const day = Math.floor(row.created_at / DAY_MS) * DAY_MS;
  const { count } = await trx
    .selectFrom('treasury_contributor')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('created_at', '>=', day)
    .executeTakeFirstOrThrow();
  if (Number(count) >= dailyLimit) return 'day_full';
  if (row.skeleton !== null && (await isBanned(trx, row.skeleton))) return 'nickname_taken';
  const inserted = await trx
    .insertInto('treasury_contributor')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  if (inserted !== undefined) return 'stored';
  return (await findBySecretHash(trx, row.secret_hash)) === undefined ? 'nickname_taken' : 'secret_known';
}

/** The contributor whose secret has this hash. */
export async function findBySecretHash(
  db: TreasuryQuery,
  hash: string,
): Promise<ContributorTable | undefined> {
  return await db
    .selectFrom('treasury_contributor')
    .selectAll()
    .where('secret_hash', '=', hash)
    .executeTakeFirst();
}

/** A contributor by its public id. */
export async function findContributor(db: TreasuryQuery, id: string): Promise<ContributorTable | undefined> {
  return await db.selectFrom('treasury_contributor').selectAll().where('id', '=', id).executeTakeFirst();
}

/** What of a contributor can be changed. */
export type ContributorChange = Partial<
  Pick<ContributorTable, 'nickname' | 'skeleton' | 'is_public' | 'hidden_at'>
>;

/** Changes a contributor; undefined when the nickname is another's. */
export async function updateContributor(
  precious: Precious,
  id: string,
  change: ContributorChange,
  nowMs: number,
): Promise<ContributorTable | undefined> {
  return await precious
    .transaction<TreasuryTables, ContributorTable | undefined>(async (trx) => {
      const { skeleton } = change;
      if (typeof skeleton === 'string') {
        const other = await trx
          .selectFrom('treasury_contributor')
          .select('id')
          .where('skeleton', '=', skeleton)
          .where('id', '!=', id)
          .executeTakeFirst();
        if (other !== undefined || (await isBanned(trx, skeleton))) return undefined;
      }
      return await trx
        .updateTable('treasury_contributor')
        .set({ ...change, updated_at: nowMs })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst();
    })
    .catch((error: unknown) => {
      // Two at once on PostgreSQL: neither saw the other, and the unique key tells them apart.
      const { code, constraint } = error as { code?: unknown; constraint?: unknown };
      if (code === '23505' && constraint === 'treasury_contributor_skeleton_key') return undefined;
      throw error;
    });
}

/** Takes a nickname from its contributor, for good and from everybody. */
export async function banNickname(
  precious: Precious,
  { id, skeleton }: { id: string; skeleton: string },
  nowMs: number,
): Promise<void> {
  await precious.transaction<TreasuryTables, void>(async (trx) => {
    await trx
      .insertInto('treasury_banned_nickname')
      .values({ skeleton, banned_at: nowMs })
      .onConflict((conflict) => conflict.column('skeleton').doNothing())
      .execute();
    await trx
      .updateTable('treasury_contributor')
      .set({ nickname: null, skeleton: null, updated_at: nowMs })
      .where('id', '=', id)
      .where('skeleton', '=', skeleton)
      .execute();
  });
}

/** Contributors after an id, in the order of their ids. */
export async function listContributors(
  db: TreasuryQuery,
  afterId: string,
  limit: number,
): Promise<ContributorTable[]> {
  return await db
    .selectFrom('treasury_contributor')
    .selectAll()
    .where('id', '>', afterId)
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** How many are registered. */
export async function countContributors(db: TreasuryQuery): Promise<number> {
  const { count } = await db
    .selectFrom('treasury_contributor')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

async function isBanned(db: TreasuryQuery, skeleton: string): Promise<boolean> {
  const row = await db
    .selectFrom('treasury_banned_nickname')
    .select('skeleton')
    .where('skeleton', '=', skeleton)
    .executeTakeFirst();
  return row !== undefined;
}

/** Contributors by their ids, for display. */
export async function listDisplays(
  db: TreasuryQuery,
  ids: readonly string[],
): Promise<Map<string, Pick<ContributorTable, 'id' | 'nickname' | 'is_public' | 'hidden_at'>>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('treasury_contributor')
    .select(['id', 'nickname', 'is_public', 'hidden_at'])
    .where('id', 'in', [...new Set(ids)])
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}
