import { skeletonsOf } from '@coinfront/protocol/treasury/nickname-skeletons.ts';
import type { TreasuryQuery } from './treasury-tables.ts';

const PAGE = 500;

/**
 * Makes the skeletons of all nicknames by the rules of now. Each stays with who has it, also one that would be refused today; of
 * those that look alike by now, the contributor that is there longest has the skeleton, and no third one gets it until it rests no more. What was
 * banned is known by its skeleton of then, and stays banned in both.
 */
export async function fillSkeletons(db: TreasuryQuery): Promise<void> {
  for (let after = { created_at: -1, id: '' }; ; ) {
    const page = await db
      .selectFrom('treasury_contributor')
      .select(['id', 'nickname', 'created_at'])
      .where((eb) =>
        eb.or([
          eb('created_at', '>', after.created_at),
          eb.and([eb('created_at', '=', after.created_at), eb('id', '>', after.id)]),
        ]),
      )
      .orderBy('created_at')
      .orderBy('id')
      .limit(PAGE)
      .execute();
    const rows = page.flatMap(({ id, nickname }) =>
      nickname === null
        ? []
        : skeletonsOf(nickname).map((skeleton) => ({ skeleton, contributor_id: id, freed_at: null })),
    );
    if (rows.length > 0)
      await db
        .insertInto('treasury_nickname_skeleton')
        .values(rows)
        .onConflict((conflict) => conflict.column('skeleton').doNothing())
        .execute();
    if (page.length < PAGE) break;
    after = page.at(-1)!;
  }
  for (const { skeleton, banned_at } of await db.selectFrom('treasury_banned_nickname').selectAll().execute())
    await db
      .insertInto('treasury_banned_nickname')
      .values(skeletonsOf(skeleton).map((each) => ({ skeleton: each, banned_at })))
      .onConflict((conflict) => conflict.column('skeleton').doNothing())
      .execute();
}
