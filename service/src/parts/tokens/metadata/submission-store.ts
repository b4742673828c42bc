/** Submissions held for review, and what became of them. */

import type { Precious } from '../../../db/precious.ts';
import type {
  MetadataLogoTable,
  MetadataQuery,
  MetadataSubmissionTable,
  MetadataTables,
} from './metadata-tables.ts';

/** How many submissions may await review: of one token, in all. */
export type ReviewBounds = { token: number; all: number };

/** Adds a submission for review; gives the name of the bound that is reached instead. */
export async function addSubmission(
  trx: MetadataQuery,
  row: MetadataSubmissionTable,
  logo: Omit<MetadataLogoTable, 'submission_id'> | undefined,
  bounds: ReviewBounds,
): Promise<keyof ReviewBounds | undefined> {
  const countPending = async (tokenId?: string): Promise<number> => {
    let query = trx
      .selectFrom('metadata_submission')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('state', '=', 'pending');
    if (tokenId !== undefined) query = query.where('token_id', '=', tokenId);
    return Number((await query.executeTakeFirstOrThrow()).count);
  };
  if ((await countPending(row.token_id)) >= bounds.token) return 'token';
  if ((await countPending()) >= bounds.all) return 'all';
  await trx.insertInto('metadata_submission').values(row).execute();
  if (logo)
    await trx
      .insertInto('metadata_logo')
      .values({ submission_id: row.id, ...logo })
      .execute();
  return undefined;
}

/** A submission. */
export async function findSubmission(
  db: MetadataQuery,
  id: string,
): Promise<MetadataSubmissionTable | undefined> {
  return await db.selectFrom('metadata_submission').selectAll().where('id', '=', id).executeTakeFirst();
}

/** The logo of a submission, reviewed or not: for who reviews. */
export async function findSubmittedLogo(
  db: MetadataQuery,
  id: string,
): Promise<MetadataLogoTable | undefined> {
  return await db.selectFrom('metadata_logo').selectAll().where('submission_id', '=', id).executeTakeFirst();
}

/** Submissions that await review, the longest waiting first. */
export async function listPending(db: MetadataQuery, limit: number): Promise<MetadataSubmissionTable[]> {
  return await db
    .selectFrom('metadata_submission')
    .selectAll()
    .where('state', '=', 'pending')
    .orderBy('submitted_at')
    .orderBy('id')
    .limit(limit)
    .execute();
}

/**
 * Approves a submission: it is shown with its token from now on, in the place of the one before, whose logo is
 * forgotten. False when it does not await review.
 */
export async function approveSubmission(precious: Precious, id: string, nowMs: number): Promise<boolean> {
  return await precious.transaction<MetadataTables, boolean>(async (trx) => {
    const decided = await decide(trx, id, { state: 'approved', reason: null, nowMs });
    if (decided === undefined) return false;
    const { token_id } = decided;
    const replaced = await trx
      .updateTable('metadata_submission')
      .set({ state: 'replaced' })
      .where('token_id', '=', token_id)
      .where('state', '=', 'approved')
      .where('id', '!=', id)
      .returning('id')
      .execute();
    const shown = { submission_id: id, approved_at: nowMs };
    await trx
      .insertInto('token_metadata')
      .values({ token_id, ...shown })
      .onConflict((conflict) => conflict.column('token_id').doUpdateSet(shown))
      .execute();
    for (const before of replaced) await forgetLogo(trx, before.id);
    return true;
  });
}

/** Rejects a submission, and forgets its logo; false when it does not await review. */
export async function rejectSubmission(
  precious: Precious,
  id: string,
  reason: string,
  nowMs: number,
): Promise<boolean> {
  return await precious.transaction<MetadataTables, boolean>(async (trx) => {
    if ((await decide(trx, id, { state: 'rejected', reason, nowMs })) === undefined) return false;
    await forgetLogo(trx, id);
    return true;
  });
}

/**
 * Takes back what is shown of a token; it has no description then. False when there is none. What was approved counts
 * as rejected, for the reason given.
 */
export async function withdrawMetadata(
  precious: Precious,
  tokenId: string,
  reason: string,
  nowMs: number,
): Promise<boolean> {
  return await precious.transaction<MetadataTables, boolean>(async (trx) => {
    const shown = await trx
      .deleteFrom('token_metadata')
      .where('token_id', '=', tokenId)
      .returning('submission_id')
      .executeTakeFirst();
    if (shown === undefined) return false;
    await trx
      .updateTable('metadata_submission')
      .set({ state: 'rejected', reason, decided_at: nowMs })
      .where('id', '=', shown.submission_id)
      .execute();
    await forgetLogo(trx, shown.submission_id);
    return true;
  });
}

async function decide(
  trx: MetadataQuery,
  id: string,
  { state, reason, nowMs }: { state: 'approved' | 'rejected'; reason: string | null; nowMs: number },
): Promise<{ token_id: string } | undefined> {
  return await trx
    .updateTable('metadata_submission')
    .set({ state, reason, decided_at: nowMs })
    .where('id', '=', id)
    .where('state', '=', 'pending')
    .returning('token_id')
    .executeTakeFirst();
}

async function forgetLogo(trx: MetadataQuery, submissionId: string): Promise<void> {
  await trx.deleteFrom('metadata_logo').where('submission_id', '=', submissionId).execute();
}
