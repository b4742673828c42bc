/** Whose nicknames are, by what they look like; used inside of the transaction that changes a contributor. */

import { skeletonsOf } from '@coinfront/protocol/treasury/nickname-skeletons.ts';
import type { TreasuryQuery } from '../schema/treasury-tables.ts';

/** How long a nickname that was given up is nobody's but who had it. */
export const NICKNAME_REST_MS = 365 * 86_400_000;
/** Nicknames of one contributor that rest at once; of more the one given up first is free. Nobody keeps names by changing. */
const RESTING_OF_CONTRIBUTOR = 3;

/** Why a nickname is not to be had: another has it, or gave it up lately. */
export type NicknameRefusal = 'nickname_taken' | 'nickname_rests';

/** Thrown to take a transaction back. */
export class NicknameRefusedError extends Error {
  readonly refusal: NicknameRefusal;
  constructor(refusal: NicknameRefusal) {
    super(refusal);
    this.refusal = refusal;
  }
}

/**
 * Makes the nickname of these skeletons the contributor's.
 *
 * @throws NicknameRefusedError when one of them is another's, rests, or is banned
 */
export async function claimNickname(
  trx: TreasuryQuery,
  contributorId: string,
  skeletons: readonly string[],
  nowMs: number,
): Promise<void> {
  const claim: Claim = { contributorId, restedAt: nowMs - NICKNAME_REST_MS };
  // Before anything is locked: two who ask for each other's would wait for each other.
  const refusal = await findRefusal(trx, claim, skeletons);
  if (refusal !== undefined) throw new NicknameRefusedError(refusal);
  for (const skeleton of [...skeletons].sort()) {
    const claimed = await trx
      .insertInto('treasury_nickname_skeleton')
      .values({ skeleton, contributor_id: contributorId, freed_at: null })
      .onConflict((conflict) =>
        conflict
          .column('skeleton')
          .doUpdateSet({ contributor_id: contributorId, freed_at: null })
          .where((eb) =>
            eb.or([
              eb('treasury_nickname_skeleton.contributor_id', '=', contributorId),
              eb('treasury_nickname_skeleton.freed_at', '<=', claim.restedAt),
            ]),
          ),
      )
      .returning('skeleton')
      .executeTakeFirst();
    // Somebody took it in the meantime.
    if (claimed === undefined) throw new NicknameRefusedError('nickname_taken');
  }
}

type Claim = { contributorId: string; restedAt: number };

async function findRefusal(
  trx: TreasuryQuery,
  { contributorId, restedAt }: Claim,
  skeletons: readonly string[],
): Promise<NicknameRefusal | undefined> {
  const banned = await trx
    .selectFrom('treasury_banned_nickname')
    .select('skeleton')
    .where('skeleton', 'in', skeletons)
    .executeTakeFirst();
  if (banned !== undefined) return 'nickname_taken';
  const rows = await trx
    .selectFrom('treasury_nickname_skeleton')
    .select('freed_at')
    .where('skeleton', 'in', skeletons)
    .where('contributor_id', '!=', contributorId)
    .execute();
  if (rows.some(({ freed_at }) => freed_at === null)) return 'nickname_taken';
  return rows.some(({ freed_at }) => freed_at! > restedAt) ? 'nickname_rests' : undefined;
}

/** Lets the contributor's nickname rest, but for the skeletons that its new one has as well. */
export async function freeNickname(
  trx: TreasuryQuery,
  contributorId: string,
  kept: readonly string[],
  nowMs: number,
): Promise<void> {
  const rows = await trx
    .selectFrom('treasury_nickname_skeleton')
    .select(['skeleton', 'freed_at'])
    .where('contributor_id', '=', contributorId)
    .execute();
  const freed = rows.filter(({ skeleton, freed_at }) => freed_at === null && !kept.includes(skeleton));
  if (freed.length === 0) return;
  await trx
    .updateTable('treasury_nickname_skeleton')
    .set({ freed_at: nowMs })
    .where('contributor_id', '=', contributorId)
    .where(
      'skeleton',
      'in',
      freed.map(({ skeleton }) => skeleton),
    )
    .execute();
  const times = new Set(rows.flatMap(({ freed_at }) => freed_at ?? []));
  const oldest = [...times].sort((a, b) => b - a)[RESTING_OF_CONTRIBUTOR - 1];
  if (oldest === undefined) return;
  await trx
    .deleteFrom('treasury_nickname_skeleton')
    .where('contributor_id', '=', contributorId)
    .where('freed_at', '<=', oldest)
    .execute();
}

/** Takes the skeletons of a nickname from its contributor, for good and from everybody. */
export async function banSkeletons(
  trx: TreasuryQuery,
  contributorId: string,
  nickname: string,
  nowMs: number,
): Promise<void> {
  const skeletons = skeletonsOf(nickname);
  await trx
    .insertInto('treasury_banned_nickname')
    .values(skeletons.map((skeleton) => ({ skeleton, banned_at: nowMs })))
    .onConflict((conflict) => conflict.column('skeleton').doNothing())
    .execute();
  await trx
    .deleteFrom('treasury_nickname_skeleton')
    .where('contributor_id', '=', contributorId)
    .where('skeleton', 'in', skeletons)
    .execute();
}
