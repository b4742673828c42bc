import type { PaymentJson } from '@coinfront/api/payments.ts';
import { expect, test } from 'vitest';
import type { SeenOutput } from '../truth/chain-truth.ts';
import { judgePayment, type PaymentTruth } from './judge-payment.ts';
import type { PaymentPromise } from './record.ts';

const promise: PaymentPromise = {
  key: 'k',
  id: 'VP-000000000001',
  address: 'there',
  amount: 100_000_000n,
  confirmations: 2,
  expiresAt: Date.UTC(2026, 0, 1),
  isCancelled: false,
  mayBeCancelled: false,
};

const TIP = 10;

function output(amount: bigint, height: number | undefined): SeenOutput {
  return { txid: `t${height ?? ''}`, vout: 0, address: 'there', amount, height };
}

/** A payment as it is shown when outputs are as the truth has them. */
function show(status: PaymentJson['status'], outputs: readonly SeenOutput[]): PaymentJson {
  const coins = (units: bigint) => `${units / 100_000_000n}.${String(units % 100_000_000n).padStart(8, '0')}`;
  return {
    status,
    address: 'there',
    amount: '1.00000000',
    confirmations_required: 2,
    expires_at: '2026-01-01T00:00:00.000Z',
    received: { seen: coins(outputs.reduce((all, { amount }) => all + amount, 0n)), late: '0.00000000' },
    transactions: outputs.map(({ txid, vout, amount, height }) => ({
      txid,
      vout,
      amount: coins(amount),
      state: height === undefined ? 'mempool' : 'confirmed',
      height: height ?? null,
    })),
  } as unknown as PaymentJson;
}

function judge(status: PaymentJson['status'], outputs: SeenOutput[], truth: Partial<PaymentTruth> = {}) {
  return judgePayment(show(status, outputs), {
    promise,
    outputs,
    tipHeight: TIP,
    wasPaid: false,
    mayBeOver: false,
    ...truth,
  });
}

test.each([
  ['open', []],
  ['underpaid', [output(1n, undefined)]],
  ['detected', [output(100_000_000n, undefined)]],
  ['confirming', [output(100_000_000n, TIP)]],
  ['paid', [output(100_000_000n, TIP - 1)]],
  ['overpaid', [output(100_000_000n, TIP - 1), output(5n, TIP - 2)]],
] as const)('%s is the one status by its outputs', (status, outputs) => {
  expect(judge(status, [...outputs])).toEqual([]);
  for (const other of [
    'open',
    'underpaid',
    'detected',
    'confirming',
    'paid',
    'overpaid',
    'expired',
  ] as const) {
    if (other !== status) expect(judge(other, [...outputs])).toHaveLength(1);
  }
});

test('what was paid and is not any more is reorged', () => {
  expect(judge('reorged', [output(100_000_000n, TIP)], { wasPaid: true })).toEqual([]);
  expect(judge('confirming', [output(100_000_000n, TIP)], { wasPaid: true })).toHaveLength(1);
});

test('nothing is paid without its money, whatever the clock did', () => {
  const poor = [output(99_999_999n, TIP - 5)];
  expect(judge('expired', poor, { mayBeOver: true })).toEqual([]);
  expect(judge('paid', poor, { mayBeOver: true })).toHaveLength(1);
  expect(judge('cancelled', poor, { promise: { ...promise, isCancelled: true } })).toEqual([]);
  expect(judge('underpaid', poor, { promise: { ...promise, isCancelled: true } })).toHaveLength(1);
});

test('outputs that are missing or invented are found', () => {
  const paid = [output(100_000_000n, TIP - 1)];
  const lost = judgePayment(show('open', []), {
    promise,
    outputs: paid,
    tipHeight: TIP,
    wasPaid: false,
    mayBeOver: true,
  });
  expect(lost).toHaveLength(3);
  const invented = judgePayment(show('paid', paid), {
    promise,
    outputs: [],
    tipHeight: TIP,
    wasPaid: true,
    mayBeOver: false,
  });
  expect(invented).toHaveLength(3);
});
