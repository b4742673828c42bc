/** Rows of intents, and the exact amounts that they hold. */

import type { IntentTerms, KnownIntents } from '../attribution/attribution-rules.ts';
import type { IntentTable, TreasuryQuery } from '../schema/treasury-tables.ts';

/** Stores an intent. */
export async function insertIntent(db: TreasuryQuery, row: IntentTable): Promise<void> {
  await db.insertInto('treasury_intent').values(row).execute();
}

/** An intent by its id. */
export async function findIntent(db: TreasuryQuery, id: string): Promise<IntentTable | undefined> {
  return await db.selectFrom('treasury_intent').selectAll().where('id', '=', id).executeTakeFirst();
}

/** The newest intents of a contributor. */
export async function listIntents(
  db: TreasuryQuery,
  contributorId: string,
  limit: number,
): Promise<IntentTable[]> {
  return await db
    .selectFrom('treasury_intent')
    .selectAll()
    .where('contributor_id', '=', contributorId)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** How many intents of a contributor are not closed and have no contribution in the chain. */
export async function countUnpaid(db: TreasuryQuery, contributorId: string, nowMs: number): Promise<number> {
  const { count } = await db
    .selectFrom('treasury_intent')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('contributor_id', '=', contributorId)
    .where('closes_at', '>', nowMs)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('treasury_coin')
            .select('treasury_coin.txid')
            .whereRef('treasury_coin.intent_id', '=', 'treasury_intent.id'),
        ),
      ),
    )
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Those of the amounts that nobody can be given now. */
export async function listHeldAmounts(
  db: TreasuryQuery,
  amounts: readonly string[],
  nowMs: number,
): Promise<Set<string>> {
  const rows = await db
    .selectFrom('treasury_held_amount')
    .select('amount')
    .where('amount', 'in', amounts)
    .where('held_until', '>=', nowMs)
    .execute();
  return new Set(rows.map(({ amount }) => amount));
}

/** Gives an amount to an intent that is stored; false when another holds it. */
export async function holdAmount(
  db: TreasuryQuery,
  {
    amount,
    intentId,
    heldUntilMs,
    nowMs,
  }: Record<'amount' | 'intentId', string> & Record<'heldUntilMs' | 'nowMs', number>,
): Promise<boolean> {
  const row = await db
    .insertInto('treasury_held_amount')
    .values({ amount, intent_id: intentId, held_until: heldUntilMs })
    .onConflict((conflict) =>
      conflict
        .column('amount')
        .doUpdateSet({ intent_id: intentId, held_until: heldUntilMs })
        .where('treasury_held_amount.held_until', '<', nowMs),
    )
    .returning('intent_id')
    .executeTakeFirst();
  return row?.intent_id === intentId;
}

/** What transactions may be for: the intents of these tags and exact amounts. */
export async function loadKnownIntents(
  db: TreasuryQuery,
  { tags, amounts }: { tags: readonly string[]; amounts: readonly string[] },
): Promise<KnownIntents> {
  const byTag = new Map<string, IntentTerms>();
  const byAmount = new Map<bigint, IntentTerms[]>();
  for (const chunk of chunks(tags)) {
    const rows = await db.selectFrom('treasury_intent').selectAll().where('tag', 'in', chunk).execute();
    for (const row of rows) byTag.set(row.tag!, termsOf(row));
  }
  for (const chunk of chunks(amounts)) {
    const rows = await db
      .selectFrom('treasury_intent')
      .selectAll()
      .where('exact_amount', 'in', chunk)
      .orderBy('created_at')
      .orderBy('id')
      .execute();
    for (const row of rows) {
      const amount = BigInt(row.exact_amount!);
      byAmount.set(amount, [...(byAmount.get(amount) ?? []), termsOf(row)]);
    }
  }
  return {
    findByTag: (tag) => byTag.get(tag),
    listByAmount: (amount) => byAmount.get(amount) ?? [],
  };
}

/** An intent as the rules know it. */
export function termsOf(row: IntentTable): IntentTerms {
  return {
    id: row.id,
    contributorId: row.contributor_id,
    exactAmount: row.exact_amount === null ? undefined : BigInt(row.exact_amount),
    createdAtMs: row.created_at,
    createdVersion: row.created_version,
    expiresAtMs: row.expires_at,
    closesAtMs: row.closes_at,
  };
}

const CHUNK = 500;

function chunks<T>(items: readonly T[]): T[][] {
  const unique = [...new Set(items)];
  return Array.from({ length: Math.ceil(unique.length / CHUNK) }, (_, i) =>
    unique.slice(i * CHUNK, (i + 1) * CHUNK),
  );
}
