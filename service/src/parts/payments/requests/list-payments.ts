/** A merchant's payments, newest first, as far as a request may look for them. */

import type { PaymentStatus } from '@coinfront/api/payments.ts';
import type { CoinProfile } from '@coinfront/protocol/profile.ts';
import { sql } from 'kysely';
import type { Precious } from '../../../db/precious.ts';
import type { TimedPlace } from '../../../http/cursor.ts';
import type { PaymentQuery } from '../payment-context.ts';
import { parsePayableAddress } from '../pool/parse-recipient.ts';
import type { PaymentTable } from '../schema/payment-tables.ts';

/** Rows that one request looks at for those that fit: a rare status or word gives short pages that go on. */
const MAX_LOOKED = 5_000;

/** What is looked for. */
export type PaymentFilter = { status: PaymentStatus | undefined; text: string | undefined };

/** A page; `next` is where the next one begins, undefined at the end. */
export type PaymentPage = { payments: PaymentTable[]; next: TimedPlace | undefined };

/** Lists payments below a place. */
export async function listPayments(
  query: PaymentQuery,
  engine: Precious['engine'],
  merchantId: string,
  filter: PaymentFilter,
  below: TimedPlace | undefined,
  limit: number,
  profile: CoinProfile,
): Promise<PaymentPage> {
  const { status, text } = filter;
  let looked = query
    .selectFrom('payment')
    .selectAll()
    .where('merchant_id', '=', merchantId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc');
  if (below !== undefined) {
    looked = looked.where((row) =>
      row.and([
        row('created_at', '<=', below.atMs),
        row.or([row('created_at', '<', below.atMs), row('id', '<', below.id)]),
      ]),
    );
  }
  const exact = text === undefined ? undefined : findExact(text, profile);
  if (exact?.id !== undefined) looked = looked.where('id', '=', exact.id);
  if (exact?.scriptHash !== undefined) looked = looked.where('script_hash', '=', exact.scriptHash);
  if (exact?.txid !== undefined) {
    const { txid } = exact;
    looked = looked.where('id', 'in', (row) =>
      row
        .selectFrom('payment_output')
        .select('payment_id')
        .where('txid', '=', txid)
        .where('excluded', '=', 0),
    );
  }
  const isWord = text !== undefined && exact === undefined;
  const isFiltered = isWord || status !== undefined;
  // What an index finds needs no bound; what has to be looked for does.
  let rows = query
    .selectFrom((isFiltered && exact === undefined ? looked.limit(MAX_LOOKED) : looked).as('looked'))
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1);
  if (status !== undefined) rows = rows.where('status', '=', status);
  if (isWord) {
    // Both ignore the case of ASCII.
    const like = sql.raw(engine === 'postgres' ? 'ilike' : 'like');
    rows = rows.where(sql<boolean>`description ${like} ${likePattern(text)} escape '\\'`);
  }
  const found = await rows.execute();
  const payments = found.slice(0, limit);
  if (found.length > limit) return { payments, next: placeOf(payments.at(-1)!) };
  if (!isFiltered || exact !== undefined) return { payments, next: undefined };
  const [last] = await query
    .selectFrom(looked.clearSelect().select(['created_at', 'id']).limit(MAX_LOOKED).as('looked'))
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .offset(MAX_LOOKED - 1)
    .execute();
  return { payments, next: last && placeOf(last) };
}

function placeOf({ created_at, id }: Pick<PaymentTable, 'created_at' | 'id'>): TimedPlace {
  return { atMs: created_at, id };
}

/** What a text names exactly; undefined when it is to be looked for in descriptions. */
function findExact(
  text: string,
  profile: CoinProfile,
): { id?: string; txid?: string; scriptHash?: string } | undefined {
  if (/^VP-[0-9A-HJKMNP-TV-Z]{12}$/i.test(text)) return { id: text.toUpperCase() };
  if (/^[0-9a-f]{64}$/i.test(text)) return { txid: text.toLowerCase() };
  const address = parsePayableAddress(text, profile);
  return address.ok ? { scriptHash: address.value.scriptHash } : undefined;
}

function likePattern(text: string): string {
  return `%${text.replace(/[\\%_]/g, (special) => `\\${special}`)}%`;
}
