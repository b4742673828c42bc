import { paymentStatuses } from '@coinfront/api/payments.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { balance, capResolved, findLeftOver, findRefundable, resolveRest } from './leftover-rules.ts';

const units = fc.bigInt({ min: 0n, max: 30n });
const came = fc.record({ counted: units, late: units });
const text = units.map(String);
const word = fc.bigInt({ min: -30n, max: 30n }).map(String);
const payment = fc.record({
  status: fc.constantFrom(...paymentStatuses),
  accepted_at: fc.constantFrom(null, 5),
  amount: fc.constant('10'),
  refunded: text,
  resolved: word,
  seen: text,
  late: text,
});

test('what is left over is in refunds, let be, or open, and what is not there is said', () => {
  fc.assert(
    fc.property(payment, came, came, (row, there, deep) => {
      const found = balance(row, there, deep);
      expect(found.total + found.uncovered).toBe(found.refunded + found.resolved + found.open);
      expect(found.uncovered === 0n || found.open + found.resolved === 0n).toBe(true);
      expect(found.settled <= found.total).toBe(true);
      expect(
        found.refunded + findRefundable(found) <=
          (found.total > found.refunded ? found.total : found.refunded),
      ).toBe(true);
    }),
  );
});

test('what came is part of the deal or left over', () => {
  fc.assert(
    fc.property(payment, came, (row, there) => {
      const { total, kinds } = findLeftOver(row, there);
      const kept = there.counted + there.late - total;
      const isOver = (row.status === 'expired' || row.status === 'cancelled') && row.accepted_at === null;
      expect(kept).toBe(isOver ? 0n : there.counted < 10n ? there.counted : 10n);
      expect(kinds.length > 0).toBe(total > 0n);
    }),
  );
});

test('a word is good for what it was said of, and for no more than there is of it', () => {
  fc.assert(
    fc.property(payment, (row) => {
      const { total } = findLeftOver(row, { counted: BigInt(row.seen), late: BigInt(row.late) });
      const [said, rest] = [BigInt(row.resolved), total - BigInt(row.refunded)];
      const capped = BigInt(capResolved(row));
      expect(capped === 0n || (capped > 0n === said > 0n && capped > 0n === rest > 0n)).toBe(true);
      expect(size(capped) <= size(said) && size(capped) <= size(rest)).toBe(true);
      expect(capResolved({ ...row, resolved: String(capped) })).toBe(String(capped));
    }),
  );
});

test('whatever is let be is settled then, and not any more when more is left over', () => {
  fc.assert(
    fc.property(payment, came, came, (row, there, later) => {
      const resolved = resolveRest(balance(row, there, there));
      expect(balance({ ...row, resolved }, there, there).isSettled).toBe(true);
      const grown = { counted: there.counted, late: there.late + later.late + 1n };
      const isNews = findLeftOver(row, grown).total > BigInt(row.refunded);
      expect(balance({ ...row, resolved }, grown, grown).isSettled).toBe(!isNews);
    }),
  );
});

test.each([
  [{ status: 'paid', counted: 10n, late: 0n }, [], 0n],
  [{ status: 'overpaid', counted: 13n, late: 0n }, ['overpaid'], 3n],
  [{ status: 'reorged', counted: 4n, late: 2n }, ['late'], 2n],
  [{ status: 'expired', counted: 4n, late: 2n }, ['late', 'closed'], 6n],
  [{ status: 'cancelled', counted: 14n, late: 0n }, ['closed'], 14n],
  [{ status: 'underpaid', counted: 4n, late: 0n }, [], 0n],
] as const)('of %o is left over %o, %s', ({ status, ...there }, kinds, total) => {
  expect(findLeftOver({ status, accepted_at: null, amount: '10' }, there)).toEqual({ kinds, total });
});

function size(value: bigint): bigint {
  return value < 0n ? -value : value;
}
