/** Example bodies for the OpenAPI document: what is left over, and refunds. */

import type {
  LeftoverJson,
  RefundJson,
  RefundRequestJson,
  RefundTransactionBodyJson,
  RefundTransactionJson,
} from '@coinfront/api/refunds.ts';

const paymentId = 'VP-7K3M9QX2C4TB';
const paid = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
const buyer = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq';
const txid = 'f4184fc596403b9d638783cf57adfe4c75c605f6356fbc91338530e9831e9e16';
const zero = '0.00000000';
const amount = '0.05000000';

const unsettled: LeftoverJson = {
  payment_id: paymentId,
  order_id: '10023',
  status: 'expired',
  kinds: ['late'],
  left_over: amount,
  settled: amount,
  pending: zero,
  refunded: zero,
  resolved: zero,
  open: amount,
  uncovered: zero,
  refund_address: buyer,
  refund_address_at: '2026-03-01T15:00:00.000Z',
  refunds: [],
  resolutions: [],
  created_at: '2026-03-01T12:00:00.000Z',
};

const refund: RefundJson = {
  id: 'ref_3W8Q1N5TB7XK2M9R4C6Z',
  state: 'open',
  amount,
  address: buyer,
  note: 'Order 10023 came too late',
  txid: null,
  vout: null,
  seen: false,
  height: null,
  confirmations: 0,
  problem: null,
  created_at: '2026-03-01T16:00:00.000Z',
  sent_at: null,
  confirmed_at: null,
  cancelled_at: null,
};

const sentRefund = {
  ...refund,
  state: 'sent',
  txid,
  vout: 0,
  seen: true,
  sent_at: '2026-03-01T16:05:00.000Z',
} satisfies RefundJson;

const withRefund = (each: RefundJson): LeftoverJson => ({
  ...unsettled,
  refunded: amount,
  open: zero,
  refunds: [each],
});

const transaction: RefundTransactionJson = {
  refund,
  transaction: {
    psbt: 'cHNidP8BAHECAAAAAQ==',
    network_fee: '0.00000420',
    fee_rate: '0.00002000',
    vsize: 209,
    inputs: [{ txid, vout: 1, amount }],
    change: '0.00999580',
  },
  transaction_refused: null,
};

/** Examples of the routes about refunds. */
export const refundExamples = {
  unsettled,
  refund,
  sentRefund,
  leftover: withRefund(sentRefund),
  request: { amount, note: refund.note } satisfies RefundRequestJson,
  created: withRefund(refund),
  sent: withRefund(sentRefund),
  cancelled: {
    ...unsettled,
    refunds: [{ ...refund, state: 'cancelled', cancelled_at: '2026-03-01T16:10:00.000Z' }],
  } satisfies LeftoverJson,
  resolved: {
    ...unsettled,
    resolved: amount,
    open: zero,
    resolutions: [
      {
        amount,
        uncovered: zero,
        note: 'Settled in the shop, in cash.',
        created_at: '2026-03-01T16:00:00.000Z',
      },
    ],
  } satisfies LeftoverJson,
  withoutAddress: { ...unsettled, refund_address: null, refund_address_at: null } satisfies LeftoverJson,
  transactionRequest: {
    from: [{ address: paid }, { address: 'bc1q9d4ywgfnd8h43da5tpcxcn6ajv590cg6d3tg6a' }],
  } satisfies RefundTransactionBodyJson,
  transaction,
};
