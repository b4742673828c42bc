/** Example bodies for the OpenAPI document: payments and merchants. */

import type {
  MerchantChangeJson,
  MerchantJson,
  PoolImportJson,
  PoolImportResultJson,
  PoolListJson,
  PoolRemovalJson,
  PoolRemovalResultJson,
} from '@coinfront/api/merchants.ts';
import type { MerchantPaymentJson, PaymentJson, PaymentRequestJson } from '@coinfront/api/payments.ts';

const id = 'VP-7K3M9QX2C4TB';
const address = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';

const request: PaymentRequestJson = {
  recipient: address,
  amount: '0.05000000',
  description: 'Order 10023',
  confirmations_required: 2,
  expires_in: 3600,
  order_id: '10023',
  metadata: { basket: 'b-5521', customer: { id: 77 } },
  webhook_url: 'https://shop.example/webhooks/coin',
  return_url: 'https://shop.example/orders/10023',
};

const open: PaymentJson = {
  id,
  status: 'open',
  reason: null,
  recipient: address,
  address,
  amount: '0.05000000',
  price: null,
  description: 'Order 10023',
  confirmations_required: 2,
  received: { seen: '0.00000000', confirmed: '0.00000000', settled: '0.00000000', late: '0.00000000' },
  remaining: '0.05000000',
  tolerated: '0.00000000',
  transactions: [],
  payment_uri: `coin:${address}?amount=0.05000000&message=Order%2010023&reference=${id}`,
  checkout_url: `https://coin.example/pay/${id}`,
  final: false,
  sequence: 1,
  created_at: '2026-03-01T12:00:00.000Z',
  expires_at: '2026-03-01T13:00:00.000Z',
  paid_at: null,
  settled_at: null,
  accepted_at: null,
  accepted_amount: null,
  updated_at: '2026-03-01T12:00:00.000Z',
  as_of: { height: 812_345, hash: '00000000000000000001a0c9b5c1c4f0d5f2a7f0a3e5d1b2c3a49586770f1e2d' },
};

const payment: PaymentJson = {
  ...open,
  status: 'confirming',
  received: { seen: '0.05000000', confirmed: '0.05000000', settled: '0.00000000', late: '0.00000000' },
  remaining: '0.00000000',
  transactions: [
    {
      txid: 'f4184fc596403b9d638783cf57adfe4c75c605f6356fbc91338530e9831e9e16',
      vout: 0,
      amount: '0.05000000',
      state: 'confirmed',
      confirmations: 1,
      height: 812_346,
      block_hash: '00000000000000000002b1d0c6d2d5f1e6a3b8f1b4f6e2c3d4b5a69788102f3e',
      block_time: '2026-03-01T12:06:02.000Z',
      fee_rate: '12.500',
      replaceable: false,
      first_seen: '2026-03-01T12:04:10.000Z',
      late: false,
    },
  ],
  paid_at: '2026-03-01T12:04:10.000Z',
  sequence: 3,
  updated_at: '2026-03-01T12:06:21.000Z',
  as_of: { height: 812_346, hash: '00000000000000000002b1d0c6d2d5f1e6a3b8f1b4f6e2c3d4b5a69788102f3e' },
};

const forMerchant = {
  order_id: '10023',
  metadata: { basket: 'b-5521', customer: { id: 77 } },
  use_address_pool: false,
  webhook_url: 'https://shop.example/webhooks/coin',
  cancelled_at: null,
  return_url: 'https://shop.example/orders/10023',
  tolerance: '0.00000000',
  excluded: [],
} satisfies Partial<MerchantPaymentJson>;

const created: MerchantPaymentJson = { ...open, ...forMerchant };

const cancelledAt = '2026-03-01T12:10:00.000Z';
const cancelled: MerchantPaymentJson = {
  ...created,
  status: 'cancelled',
  sequence: 2,
  updated_at: cancelledAt,
  cancelled_at: cancelledAt,
};

const acceptedAt = '2026-03-01T14:00:00.000Z';
const accepted: MerchantPaymentJson = {
  ...payment,
  ...forMerchant,
  status: 'expired',
  reason: 'partial',
  received: { seen: '0.04999000', confirmed: '0.04999000', settled: '0.00000000', late: '0.00000000' },
  transactions: payment.transactions.map((output) => ({ ...output, amount: '0.04999000' })),
  updated_at: acceptedAt,
  accepted_at: acceptedAt,
  accepted_amount: '0.04999000',
};

const merchant: MerchantJson = {
  id: 'mer_4R8KX2N7W3TMGM4T1WT6',
  name: 'Example shop',
  webhook_url: 'https://shop.example/webhooks/coin',
  pool: { ready: 812, leased: 4, retired: 184, low_threshold: 10 },
  default_expires_in: null,
  default_confirmations: null,
  tolerance: { percent: 1, max_amount: '0.01000000' },
  created_at: '2026-02-01T09:00:00.000Z',
};

const importResult: PoolImportResultJson = {
  imported: 1,
  refused: 1,
  results: [
    { address, path: null, result: 'imported', code: null, detail: null },
    {
      address,
      path: null,
      result: 'refused',
      code: 'duplicate',
      detail: 'It is in this list twice; the first one counts.',
    },
  ],
};

const poolAddress: PoolListJson['items'][number] = {
  address,
  path: '0/17',
  state: 'leased',
  payment_id: id,
  imported_at: '2026-02-01T09:05:00.000Z',
  leased_at: '2026-03-01T12:00:00.000Z',
};

const table = [
  'id,order_id,status,reason,created_at,expires_at,updated_at,paid_at,settled_at,accepted_at,cancelled_at,coin,amount,price_currency,price_amount,price_rate,accepted_amount,' +
    'received_seen,received_confirmed,received_settled,received_late,tolerated,refunded,address,recipient,txids,description',
  `${id},10023,paid,,2026-03-01T12:00:00.000Z,2026-03-01T13:00:00.000Z,2026-03-01T12:16:40.000Z,2026-03-01T12:04:10.000Z,2026-03-01T12:16:40.000Z,,,COIN,0.05000000,,,,,` +
    `0.05000000,0.05000000,0.05000000,0.00000000,0.00000000,0.00000000,${address},${address},` +
    'f4184fc596403b9d638783cf57adfe4c75c605f6356fbc91338530e9831e9e16,"Order 10023"',
  '',
].join('\r\n');

/** Examples of the routes about payments. */
export const paymentExamples = {
  request,
  created,
  payment,
  merchantPayment: { ...payment, ...forMerchant },
  cancelled,
  accepted,
  table,
};

/** Examples of the routes about merchants. */
export const merchantExamples = {
  merchant,
  change: { name: 'Example books', default_expires_in: 900 } satisfies MerchantChangeJson,
  importBody: { addresses: [address, address] } satisfies PoolImportJson,
  importResult,
  removalBody: { addresses: [address] } satisfies PoolRemovalJson,
  removalResult: {
    removed: 1,
    results: [{ address, result: 'removed', code: null, detail: null }],
  } satisfies PoolRemovalResultJson,
  poolList: { items: [poolAddress], next_cursor: null } satisfies PoolListJson,
};
