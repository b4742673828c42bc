/** Rows as they begin: one place that knows what every column is at first. */

import type { MerchantTable, PaymentTable } from './payment-tables.ts';

/** What a payment cannot begin without. */
type PaymentStart = Pick<
  PaymentTable,
  | 'id'
  | 'merchant_id'
  | 'recipient'
  | 'address'
  | 'script_hash'
  | 'amount'
  | 'created_at'
  | 'expires_at'
  | 'created_height'
>;

/** A payment of which nothing has been seen, with its first event told and its script to be looked through. */
export function newPaymentRow(start: PaymentStart & Partial<PaymentTable>): PaymentTable {
  return {
    status: 'open',
    reason: null,
    description: '',
    confirmations_required: 2,
    webhook_url: null,
    return_url: null,
    updated_at: start.created_at,
    tolerance: '0',
    paid_at: null,
    settled_at: null,
    order_id: null,
    metadata: null,
    price_currency: null,
    price_amount: null,
    price_rate: null,
    price_sources: null,
    price_at: null,
    superseded: 0,
    seen: '0',
    mined: '0',
    deep: '0',
    late: '0',
    held: 0,
    settled: 0,
    final: 0,
    cancelled_at: null,
    accepted_at: null,
    accepted_amount: null,
    lost_at: null,
    refunded: '0',
    resolved: '0',
    refund_address: null,
    refund_address_at: null,
    sequence: 1,
    check_height: null,
    check_at: start.expires_at,
    is_due: 1,
    ...start,
  };
}

/** A merchant that has told nothing yet. */
export function newMerchantRow(
  start: Pick<MerchantTable, 'id' | 'name' | 'created_at'> & Partial<MerchantTable>,
): MerchantTable {
  return {
    webhook_url: null,
    pool_low_threshold: 10,
    tolerance_bps: 0,
    tolerance_max: null,
    default_expires_in: null,
    default_confirmations: null,
    sequence: 0,
    disabled_at: null,
    ...start,
  };
}
