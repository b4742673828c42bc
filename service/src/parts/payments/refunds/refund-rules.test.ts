import { expect, test } from 'vitest';
import type { RefundTable } from '../schema/refund-tables.ts';
import { findOutput, judgeRefund, type SeenTx } from './refund-rules.ts';

const sent: RefundTable = {
  ...{
    id: 'ref_00000000000000000000',
    merchant_id: 'mer_0',
    payment_id: 'VP-000000000000',
    state: 'sent',
    amount: '10',
  },
  ...{ address: '', script_hash: 'aa', note: '', txid: 'ff', vout: null, seen: 0, height: null },
  ...{ problem: null, final: 0, created_at: 1, sent_at: 2, confirmed_at: null, cancelled_at: null },
};
const moment = { tipHeight: 100, nowMs: 9, required: 2, taken: new Set<number>() };
const at = (height: number | null, value = 10n): SeenTx => ({
  outputs: [{ vout: 0, value, scriptHash: 'aa' }],
  height,
});

test('a refund goes its way by where its transaction is', () => {
  expect(judgeRefund(sent, undefined, moment)).toBe(sent);
  const seen = judgeRefund(sent, at(null), moment);
  expect(seen).toMatchObject({ state: 'sent', seen: 1, vout: 0, height: null });
  expect(judgeRefund(seen, at(100), moment)).toMatchObject({
    state: 'sent',
    height: 100,
    confirmed_at: null,
  });
  const deep = judgeRefund(seen, at(99), moment);
  expect(deep).toMatchObject({ state: 'confirmed', height: 99, confirmed_at: 9, final: 0 });
  expect(judgeRefund(deep, at(99), { ...moment, nowMs: 20 })).toEqual(deep);
  expect(judgeRefund(deep, at(null), moment)).toMatchObject({ state: 'sent', confirmed_at: null });
  const gone = judgeRefund(deep, undefined, moment);
  expect(gone).toMatchObject({ state: 'gone', height: null, confirmed_at: null, vout: 0 });
  expect(judgeRefund(gone, at(98), moment)).toMatchObject({ state: 'confirmed', vout: 0 });
  const final = judgeRefund(deep, at(1), moment);
  expect(final).toMatchObject({ state: 'confirmed', final: 1 });
  expect(judgeRefund(final, undefined, moment)).toBe(final);
});

test('a transaction that does not pay it is said to be none of it', () => {
  const wrong = judgeRefund(sent, at(100, 9n), moment);
  expect(wrong).toMatchObject({ state: 'gone', problem: 'output_missing', vout: null });
  expect(judgeRefund(wrong, at(100), moment)).toBe(wrong);
  expect(judgeRefund(sent, at(100), { ...moment, taken: new Set([0]) }).problem).toBe('output_missing');
  const cancelled: RefundTable = { ...sent, state: 'cancelled' };
  expect(judgeRefund(cancelled, at(100), moment)).toBe(cancelled);
});

test('of the outputs that can pay it the smallest does', () => {
  const outputs = [
    { vout: 0, value: 30n, scriptHash: 'aa' },
    { vout: 1, value: 12n, scriptHash: 'bb' },
    { vout: 2, value: 9n, scriptHash: 'aa' },
    { vout: 3, value: 11n, scriptHash: 'aa' },
    { vout: 4, value: 11n, scriptHash: 'aa' },
  ];
  expect(findOutput(sent, outputs, new Set())).toBe(3);
  expect(findOutput(sent, outputs, new Set([3, 4]))).toBe(0);
  expect(findOutput(sent, outputs, new Set([0, 3, 4]))).toBe(undefined);
});
