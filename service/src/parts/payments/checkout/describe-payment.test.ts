import type { PaymentJson } from '@coinfront/api/payments.ts';
import { describe as describeGroup, expect, test } from 'vitest';
import { makeOutput, makePayment } from '../../../../../test/browser/fixture-payment.ts';
import { askFor, shortenForQr } from './ask-for.ts';
import { describePayment, shortenAmount } from './describe-payment.ts';
import { english } from './words/words-en.ts';

const coin = { ticker: 'RCOIN', decimals: 8 };
const describe = (fields: Partial<PaymentJson>) =>
  describePayment(makePayment(fields), coin, english, Date.now());
const anHourAgo = new Date(Date.now() - 3_600_000).toISOString();

test.each([
  ['1.50000000', '1.50'],
  ['0.00010000', '0.0001'],
  ['100.00000000', '100.00'],
  ['0.12345678', '0.12345678'],
  ['1000', '1000'],
  ['2.50', '2.50'],
  ['0.000000000000000001', '0.000000000000000001'],
])('%s is written %s', (amount, said) => {
  expect(shortenAmount(amount)).toBe(said);
});

test('confirmations are those of the youngest output that the amount needs', () => {
  const outputs = [makeOutput('1.00000000', 5), makeOutput('0.50000000', 1), makeOutput('0.70000000', 0)];
  const of = (transactions: PaymentJson['transactions']) =>
    describe({ status: 'confirming', confirmations_required: 3, transactions }).confirmations;
  expect(of(outputs)).toEqual({ have: 1, need: 3 });
  expect(of([...outputs, makeOutput('0.50000000', 2)])).toEqual({ have: 2, need: 3 });
  expect(of([makeOutput('1.50000000', 9)])).toEqual({ have: 3, need: 3 });
  expect(of([makeOutput('1.50000000', 9, { late: true })])).toEqual({ have: 0, need: 3 });
  expect(of([makeOutput('1.50000000', 0, { state: 'gone' })])).toEqual({ have: 0, need: 3 });
});

test('nothing is asked for after the deadline, before the payment is judged', () => {
  expect(describe({ status: 'open', expires_at: anHourAgo })).toMatchObject({
    headline: 'The time is up',
    toPay: undefined,
    deadlineMs: undefined,
  });
});

describeGroup('what the merchant accepted', () => {
  const accepted = { accepted_at: new Date().toISOString(), accepted_amount: '1.00000000' };

  test('is not asked for again when a part of it went away', () => {
    for (const expires_at of [anHourAgo, new Date(Date.now() + 3_600_000).toISOString()]) {
      const missing = describe({
        ...accepted,
        status: 'underpaid',
        expires_at,
        received: { seen: '0.50000000', confirmed: '0.50000000', settled: '0.50000000', late: '0.00000000' },
        remaining: '0.50000000',
      });
      expect(missing).toMatchObject({ toPay: undefined, deadlineMs: undefined, step: undefined });
      expect(missing.text).toMatch(/ask the merchant before you pay again/);
    }
  });

  test('is what has to be confirmed, and not the whole amount', () => {
    const outputs = [makeOutput('1.00000000', 1)];
    const of = (fields: Partial<PaymentJson>) =>
      describe({ status: 'confirming', confirmations_required: 2, transactions: outputs, ...fields })
        .confirmations;
    expect(of({})).toEqual({ have: 0, need: 2 });
    expect(of(accepted)).toEqual({ have: 1, need: 2 });
  });
});

test('who is asked where his money should go back to is not sent to the merchant for it', () => {
  const late = { seen: '0', confirmed: '0', settled: '0', late: '1.00000000' };
  const received = { seen: '2', confirmed: '2', settled: '2', late: '0' };
  for (const fields of [
    { status: 'overpaid', received },
    { status: 'cancelled', received: late },
  ] as const) {
    const payment = makePayment(fields);
    expect(describePayment(payment, coin, english, Date.now(), true).text).toMatch(/: say below where to\.$/);
    expect(describePayment(payment, coin, english, Date.now(), false).text).not.toMatch(/below/);
  }
});

test('what the merchant lets pass is neither asked for nor waited for, and is said', () => {
  const outputs = [makeOutput('1.49000000', 2)];
  const part = { tolerated: '0.01000000', remaining: '0.00000000', transactions: outputs };
  expect(describe({ ...part, status: 'detected' }).text).toMatch(/^What is needed is on its way/);
  expect(describe({ ...part, status: 'confirming', confirmations_required: 3 })).toMatchObject({
    toPay: undefined,
    confirmations: { have: 2, need: 3 },
  });
  const received = { seen: '1.49', confirmed: '1.49', settled: '1.49', late: '0' };
  const { text } = describe({ ...part, status: 'paid', received });
  expect(text).toMatch(/^1\.49 RCOIN arrived, and the missing 0\.01 RCOIN is waived\./);
});

test.each([
  ['unpaid', /Nothing came in time/],
  ['partial', /^Only 0\.00 RCOIN of 1\.50 RCOIN came in time/],
  ['unconfirmed', /no block has taken it up/],
  ['lost', /It had been paid, and the network took that back/],
] as const)('an expired payment says why: %s', (reason, says) => {
  const { text, toPay } = describe({ status: 'expired', reason });
  expect(text).toMatch(says);
  expect(toPay).toBe(undefined);
});

test('a reorganised payment that cannot be seen any more is not asked for again', () => {
  const lost = describe({ status: 'reorged', remaining: '1.50000000' });
  expect(lost.toPay).toBe(undefined);
  expect(lost.text).toMatch(/ask the merchant before you pay again/);
});

test('a URI asks for another amount, and leaves out the message only where the code gets too dense', () => {
  const uri = makePayment().payment_uri;
  expect(askFor(uri, '0.10000000')).toBe(uri.replace('amount=1.50000000', 'amount=0.10000000'));
  expect(shortenForQr(uri)).toBe(uri);
  const long = makePayment({ description: 'amount=7 & '.repeat(40) }).payment_uri;
  expect(askFor(long, '0.10000000').match(/[?&]amount=[^&]*/g)).toEqual(['?amount=0.10000000']);
  expect(shortenForQr(long)).toMatch(/^coin:\w+\?amount=1\.50000000&reference=VP-0123456789AB$/);
});
