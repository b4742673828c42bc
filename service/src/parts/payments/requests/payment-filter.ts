/** What a list of payments is narrowed to, from its query. */

import type { PaymentListQueryJson, PaymentSort } from '@coinfront/api/payment-lists.ts';
import type { PaymentStatus } from '@coinfront/api/payments.ts';
import type { CoinProfile } from '@coinfront/protocol/profile.ts';
import type { PaymentQuery } from '../payment-context.ts';
import { parsePayableAddress } from '../pool/parse-recipient.ts';
import { type CreatedRange, readCreatedRange } from './created-range-rules.ts';
import { findPaymentOfOrder } from './order-store.ts';

/** What is looked for; payments have all of it. */
export type PaymentFilter = {
  /** Any status where it is empty. */
  statuses: readonly PaymentStatus[];
  orderId: string | undefined;
  /** What an index finds alone. */
  exact: { id: string } | { txid: string } | { scriptHash: string } | undefined;
  /** To be found in descriptions. */
  words: string | undefined;
  created: CreatedRange;
  sort: PaymentSort;
};

type FilterQuery = Omit<PaymentListQueryJson, 'limit' | 'cursor'>;

/**
 * Reads the query of a list.
 *
 * @throws AppError `invalid_parameter`
 */
export async function readFilter(
  query: PaymentQuery,
  merchantId: string,
  { status, order_id: orderId, q, created_from, created_to, sort = 'created' }: FilterQuery,
  profile: CoinProfile,
): Promise<PaymentFilter> {
  const filter: PaymentFilter = {
    statuses: [...new Set((status?.split(',') ?? []) as PaymentStatus[])].sort(),
    orderId,
    exact: undefined,
    words: undefined,
    created: readCreatedRange(created_from, created_to),
    sort,
  };
  if (q === undefined) return filter;
  const exact = findExact(q, profile);
  if (exact !== undefined) return { ...filter, exact };
  // One that has this order is found however old it is, which words are not.
  const isOrder = orderId === undefined && (await findPaymentOfOrder(query, merchantId, q)) !== undefined;
  return isOrder ? { ...filter, orderId: q } : { ...filter, words: q };
}

/** What a cursor of the list is good for: the same merchant, filter and order of the list. */
export function describeList(merchantId: string, filter: PaymentFilter): string {
  return JSON.stringify([merchantId, filter]);
}

/** What a text names exactly; undefined when it is to be looked for in descriptions. */
function findExact(text: string, profile: CoinProfile): PaymentFilter['exact'] {
  if (/^VP-[0-9A-HJKMNP-TV-Z]{12}$/i.test(text)) return { id: text.toUpperCase() };
  if (/^[0-9a-f]{64}$/i.test(text)) return { txid: text.toLowerCase() };
  const address = parsePayableAddress(text, profile);
  return address.ok ? { scriptHash: address.value.scriptHash } : undefined;
}
