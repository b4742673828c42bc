/** Rows of contributors. */

import type { NamedClient } from '../../../clients/client-names.ts';
import type { ClientTables } from '../../../clients/client-tables.ts';
import { takeDailyShare } from '../../../clients/daily-share.ts';
import type { Precious } from '../../../db/precious.ts';
import type { ContributorTable, TreasuryQuery, TreasuryTables } from '../schema/treasury-tables.ts';
import {
  banSkeletons,
  claimNickname,
  freeNickname,
  type NicknameRefusal,
  NicknameRefusedError,
} from './nickname-store.ts';

const DAY_MS = 86_400_000;

/** What came of storing a contributor. */
export type Stored = 'stored' | 'secret_known' | NicknameRefusal | 'day_full' | 'client_full';

/** A contributor to be stored, and what its nickname looks like. */
export type ContributorDraft = { row: ContributorTable; skeletons: readonly string[] };

/** Contributors that are registered a day (UTC): in all, and by one client unless that is not limited. */
export type ContributorBounds = { inAll: number; ofClient: number | undefined };

/** None of the networks around a client registers more than this part of the day's. */
const PART_OF_NETWORK = 10;

/** Stores a contributor, unless secret or nickname are another's or the day (UTC), or the client, has enough of them. */
export async function insertContributor(
  precious: Precious,
  { row, skeletons }: ContributorDraft,
  client: NamedClient,
  bounds: ContributorBounds,
): Promise<Stored> {
  return await precious
    .transaction<TreasuryTables & ClientTables, Stored>(async (trx) => {
      const stored = await insertInDay(trx, row, bounds.inAll);
      if (stored !== 'stored') return stored;
      if (skeletons.length > 0) await claimNickname(trx, row.id, skeletons, row.created_at);
      const { ofClient } = bounds;
      if (ofClient === undefined) return stored;
      const share = { ofClient, ofNetwork: Math.floor(bounds.inAll / PART_OF_NETWORK) };
      const full = await takeDailyShare(trx, 'contributor', client, share, row.created_at);
      // Taken back, and with it what was counted.
      if (full !== undefined) throw new ClientFullError();
      return stored;
    })
    .catch((error: unknown) => {
      if (error instanceof ClientFullError) return 'client_full';
      if (error instanceof NicknameRefusedError) return error.refusal;
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
  const inserted = await trx
    .insertInto('treasury_contributor')
    .values(row)
    .onConflict((conflict) => conflict.column('secret_hash').doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted === undefined ? 'secret_known' : 'stored';
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

/** What of a contributor can be changed; a nickname comes with its skeletons. */
export type ContributorChange = Partial<Pick<ContributorTable, 'is_public' | 'hidden_at'>> & {
  nickname?: { nickname: string | null; skeletons: readonly string[] };
};

/** Changes a contributor; a word says why the nickname is not to be had. */
export async function updateContributor(
  precious: Precious,
  id: string,
  { nickname, ...columns }: ContributorChange,
  nowMs: number,
): Promise<ContributorTable | NicknameRefusal> {
  return await precious
    .transaction<TreasuryTables, ContributorTable>(async (trx) => {
      // First of all: of two changes of one contributor the second waits here.
      const changed = await trx
        .updateTable('treasury_contributor')
        .set({ ...columns, ...(nickname && { nickname: nickname.nickname }), updated_at: nowMs })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirstOrThrow();
      if (nickname === undefined) return changed;
      if (nickname.skeletons.length > 0) await claimNickname(trx, id, nickname.skeletons, nowMs);
      await freeNickname(trx, id, nickname.skeletons, nowMs);
      return changed;
    })
    .catch((error: unknown) => {
      if (error instanceof NicknameRefusedError) return error.refusal;
      throw error;
    });
}

/** Takes a nickname from its contributor, for good and from everybody. */
export async function banNickname(
  precious: Precious,
  { id, nickname }: { id: string; nickname: string },
  nowMs: number,
): Promise<void> {
  await precious.transaction<TreasuryTables, void>(async (trx) => {
    await trx
      .updateTable('treasury_contributor')
      .set({ nickname: null, updated_at: nowMs })
      .where('id', '=', id)
      .where('nickname', '=', nickname)
      .execute();
    await banSkeletons(trx, id, nickname, nowMs);
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
