/** A merchant's invoices as BTCPay lists them: filtered, newest first, by skip and take. */

import { btcpayLimits, type InvoiceStatus, invoiceStatuses } from '@coinfront/api/btcpay.ts';
import type { PaymentStatus } from '@coinfront/api/payments.ts';
import { sql } from 'kysely';
import type { RawQuery } from '../../../http/query-string.ts';
import { isPlainText } from '../check-text.ts';
import type { PaymentQuery } from '../payment-context.ts';
import { MAX_LOOKED } from '../requests/list-payments.ts';
import type { PaymentTable } from '../schema/payment-tables.ts';
import { type FieldFault, FieldFaults } from './greenfield-errors.ts';

export type InvoiceFilter = {
  /** Any where they are empty. */
  orderIds: readonly string[];
  statuses: readonly InvoiceStatus[];
  /** Unix milliseconds, both included. */
  fromMs: number | undefined;
  toMs: number | undefined;
  skip: number;
  take: number;
  withPaymentMethods: boolean;
};

/** What a payment can be when its invoice has a status; each is looked at once more then. */
const candidates: Readonly<Record<InvoiceStatus, readonly PaymentStatus[]>> = {
  New: ['open', 'underpaid'],
  Processing: ['detected', 'confirming', 'reorged', 'expired', 'cancelled'],
  Expired: ['expired'],
  Invalid: ['expired', 'cancelled', 'reorged'],
  Settled: ['paid', 'overpaid'],
};

/** Reads the query of a list. @throws FieldFaults */
export function readInvoiceFilter(query: RawQuery): InvoiceFilter {
  const faults: FieldFault[] = [];
  const refuse = (path: string, message: string) => void faults.push({ path, message });
  const lists = (name: string): string[] => {
    const values = [query[name] ?? []].flat();
    if (values.length > btcpayLimits.filterLength)
      refuse(name, `At most ${btcpayLimits.filterLength} values.`);
    return values;
  };
  const number = (name: string, most: number): number | undefined => {
    const [text] = [query[name] ?? []].flat();
    if (text === undefined || text === '') return undefined;
    if (/^[0-9]{1,12}$/.test(text) && Number(text) <= most) return Number(text);
    refuse(name, `Must be a whole number up to ${most}.`);
    return undefined;
  };
  const statuses = lists('status').filter((name): name is InvoiceStatus => {
    const isKnown = (invoiceStatuses as readonly string[]).includes(name);
    if (!isKnown) refuse('status', `Must be one of ${invoiceStatuses.join(', ')}.`);
    return isKnown;
  });
  if (query.textSearch !== undefined) refuse('textSearch', 'Searching for a text is not served here.');
  const orderIds = lists('orderId');
  if (!orderIds.every(isPlainText)) refuse('orderId', 'Must be valid Unicode without control characters.');
  const latest = Number.MAX_SAFE_INTEGER / 1_000;
  const [from, to] = [number('startDate', latest), number('endDate', latest)];
  const { skip, take } = btcpayLimits;
  const filter = {
    orderIds,
    statuses,
    fromMs: from === undefined ? undefined : from * 1_000,
    toMs: to === undefined ? undefined : to * 1_000 + 999,
    skip: number('skip', skip) ?? 0,
    take: number('take', take.max) ?? take.default,
    withPaymentMethods: query.includePaymentMethods === 'true',
  };
  if (faults.length > 0) throw new FieldFaults(...faults);
  return filter;
}

/**
 * The payments that may be on the page. No index finds a status in this order: by one, only the newest of those that fit otherwise
 * are looked at.
 */
export async function listInvoicePayments(
  query: PaymentQuery,
  merchantId: string,
  { orderIds, statuses, fromMs, toMs, skip, take }: InvoiceFilter,
): Promise<PaymentTable[]> {
  let looked = query
    .selectFrom('payment')
    .selectAll()
    .where('merchant_id', '=', merchantId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc');
  if (orderIds.length > 0)
    looked = looked.where('order_id', 'in', orderIds).where(sql<boolean>`order_id is not null`);
  if (fromMs !== undefined) looked = looked.where('created_at', '>=', fromMs);
  if (toMs !== undefined) looked = looked.where('created_at', '<=', toMs);
  if (statuses.length === 0) return await looked.limit(take).offset(skip).execute();
  return await query
    .selectFrom(looked.limit(MAX_LOOKED).as('looked'))
    .selectAll()
    .where('status', 'in', [...new Set(statuses.flatMap((name) => candidates[name]))])
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(take)
    .offset(skip)
    .execute();
}
