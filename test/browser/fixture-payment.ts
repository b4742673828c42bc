import type { PaymentJson, PaymentTransactionJson } from '@coinfront/api/payments.ts';
import { buildPaymentUri } from '@coinfront/protocol/payment-uri.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import { addressOf, fixtureProfile, payee } from '../../service/src/testing/fixture-server.ts';

/** An open payment of 1.5 coins that has an hour left, with other fields where given. */
export function makePayment(fields: Partial<PaymentJson> = {}): PaymentJson {
  const nowMs = Date.now();
  const [id, address, zero] = ['VP-0123456789AB', addressOf(payee), '0.00000000'];
  const description = fields.description ?? 'Order 1042: two bags of coffee';
  return {
    id,
    status: 'open',
    reason: null,
    recipient: null,
    address,
    amount: '1.50000000',
    price: null,
    description,
    confirmations_required: 2,
    received: { seen: zero, confirmed: zero, settled: zero, late: zero },
    remaining: '1.50000000',
    tolerated: zero,
    transactions: [],
    payment_uri: getValue(
      buildPaymentUri(
        {
          address,
          amount: 1_50000000n,
          label: undefined,
          message: description === '' ? undefined : description,
          reference: id,
        },
        fixtureProfile,
      ),
    ),
    checkout_url: `/pay/${id}`,
    final: false,
    sequence: 1,
    created_at: writeTime(nowMs - 60_000),
    expires_at: writeTime(nowMs + 3_600_000),
    paid_at: null,
    settled_at: null,
    accepted_at: null,
    accepted_amount: null,
    updated_at: writeTime(nowMs),
    as_of: null,
    ...fields,
  };
}

/** An output that pays it, with this many confirmations. */
export function makeOutput(
  amount: string,
  confirmations: number,
  fields: Partial<PaymentTransactionJson> = {},
): PaymentTransactionJson {
  return {
    txid: 'ab'.repeat(32),
    vout: 0,
    amount,
    state: confirmations > 0 ? 'confirmed' : 'mempool',
    confirmations,
    height: confirmations > 0 ? 200 - confirmations : null,
    block_hash: confirmations > 0 ? '0f'.repeat(32) : null,
    block_time: confirmations > 0 ? writeTime(Date.now()) : null,
    fee_rate: '10.000',
    replaceable: false,
    first_seen: writeTime(Date.now()),
    late: false,
    ...fields,
  };
}

const none = '0.00000000';
const half = '0.50000000';
const full = '1.50000000';
const more = '2.00000000';

/** A payment of each status, and the words in which its payer is told. */
export const paymentsOfEachStatus: ReadonlyArray<readonly [says: RegExp, payment: Partial<PaymentJson>]> = [
  [/Send 1\.50 RCOIN to the address below/, { status: 'open' }],
  [
    /1\.00 RCOIN missing.*0\.50 RCOIN of 1\.50 RCOIN came\. Send the rest to the same address/s,
    {
      status: 'underpaid',
      received: { seen: half, confirmed: none, settled: none, late: none },
      remaining: '1.00000000',
      transactions: [makeOutput(half, 0)],
    },
  ],
  [
    /Payment seen.*waits for a block/s,
    {
      status: 'detected',
      received: { seen: full, confirmed: none, settled: none, late: none },
      remaining: none,
      transactions: [makeOutput(full, 0)],
    },
  ],
  [
    /being confirmed.*1 of 2 confirmations/s,
    {
      status: 'confirming',
      received: { seen: full, confirmed: full, settled: none, late: none },
      remaining: none,
      transactions: [makeOutput('1.00000000', 1), makeOutput(half, 3, { vout: 1 })],
    },
  ],
  [
    /Paid.*1\.50 RCOIN arrived/s,
    {
      status: 'paid',
      received: { seen: full, confirmed: full, settled: full, late: none },
      remaining: none,
      transactions: [makeOutput(full, 2)],
    },
  ],
  [
    /2\.00 RCOIN arrived, 0\.50 RCOIN more than was asked.*Only the merchant can send it back/s,
    {
      status: 'overpaid',
      received: { seen: more, confirmed: more, settled: more, late: none },
      remaining: none,
      transactions: [makeOutput(more, 2)],
    },
  ],
  [
    /expired.*Only 0\.50 RCOIN of 1\.50 RCOIN came in time.*1\.00 RCOIN came too late/s,
    {
      status: 'expired',
      reason: 'partial',
      received: { seen: half, confirmed: half, settled: half, late: '1.00000000' },
      remaining: '1.00000000',
      transactions: [makeOutput('1.00000000', 0, { late: true }), makeOutput(half, 4)],
    },
  ],
  [/cancelled.*Do not send anything/s, { status: 'cancelled' }],
  [
    /taken back.*do not pay again/s,
    {
      status: 'reorged',
      received: { seen: full, confirmed: none, settled: none, late: none },
      remaining: none,
      transactions: [makeOutput(full, 0)],
    },
  ],
];

function writeTime(ms: number): string {
  return new Date(ms).toISOString();
}
