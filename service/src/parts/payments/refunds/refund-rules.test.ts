import { expect, test } from 'vitest';
import type { RefundTable } from '../schema/refund-tables.ts';
import {
  findOutput,
  isForgotten,
  judgeRefund,
  namesOf,
  nameTx,
  type SeenTx,
  unseenWatchMs,
} from './refund-rules.ts';

const sent: RefundTable = {
  ...{
    id: 'ref_00000000000000000000',
    merchant_id: 'mer_0',
    payment_id: 'VP-000000000000',
    state: 'sent',
    amount: '10',
  },
  ...{
    address: '',
    script_hash: 'aa',
    note: '',
    txid: 'ff',
    earlier: '[]',
    vout: null,
    seen: 0,
    height: null,
  },
  ...{ problem: null, final: 0, created_at: 1, sent_at: 2, confirmed_at: null, cancelled_at: null },
};
const script = Uint8Array.of(0xaa);
const moment = {
  ...{ tipHeight: 100, nowMs: 9, required: 2, createdHeight: 0, isPayment: false },
  ...{ taken: new Set<number>(), readScript: () => script },
};
const at = (height: number | null, value = 10n): SeenTx => ({
  readOutputs: () => [{ value, script }],
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

test('a transaction from before the payment, or that paid it, is no refund; once it is one, a lower block changes nothing', () => {
  const after = { ...moment, createdHeight: 95 };
  expect(judgeRefund(sent, at(95), after)).toMatchObject({
    state: 'gone',
    problem: 'not_a_refund',
    vout: null,
  });
  expect(judgeRefund(sent, at(96), after)).toMatchObject({ state: 'confirmed', problem: null });
  expect(judgeRefund(sent, at(null), after)).toMatchObject({ state: 'sent', seen: 1, problem: null });
  expect(judgeRefund(judgeRefund(sent, at(null), after), at(95), after).problem).toBe(null);
  expect(judgeRefund(sent, at(96), { ...after, isPayment: true }).problem).toBe('not_a_refund');
});

test('once its output is known, no outputs are read again', () => {
  const seen = judgeRefund(sent, at(null), moment);
  const readOutputs = () => {
    throw new Error('read again');
  };
  expect(judgeRefund(seen, { height: 99, readOutputs }, moment).state).toBe('confirmed');
});

test('a refund remembers the transactions that it had, except what never paid it', () => {
  const second = nameTx(judgeRefund(sent, at(null), moment), 'ee');
  expect(second).toMatchObject({ txid: 'ee', seen: 0, vout: null, state: 'sent' });
  expect(namesOf(second)).toEqual(['ff', 'ee']);
  expect(namesOf(nameTx(second, 'ff'))).toEqual(['ee', 'ff']);
  expect(namesOf(nameTx(judgeRefund(second, at(null, 9n), moment), 'dd'))).toEqual(['ff', 'dd']);
});

test('what was never seen is given up 14 days after it was named', () => {
  expect(isForgotten(sent, 2 + unseenWatchMs - 1)).toBe(false);
  expect(isForgotten(sent, 2 + unseenWatchMs)).toBe(true);
  expect(isForgotten({ ...sent, seen: 1 }, 2 + unseenWatchMs)).toBe(false);
});

test('of the outputs that can pay it the smallest does', () => {
  const other = Uint8Array.of(0xbb);
  const outputs = [
    { value: 30n, script },
    { value: 12n, script: other },
    { value: 9n, script },
    { value: 11n, script: Uint8Array.of(0xaa) },
    { value: 11n, script },
  ];
  expect(findOutput(10n, script, outputs, new Set())).toBe(3);
  expect(findOutput(10n, script, outputs, new Set([3, 4]))).toBe(0);
  expect(findOutput(10n, script, outputs, new Set([0, 3, 4]))).toBe(undefined);
});
