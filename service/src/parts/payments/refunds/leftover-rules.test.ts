import { paymentStatuses } from '@coinfront/api/payments.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { balance, capResolved, findLeftOver, findRefundable } from './leftover-rules.ts';

const units = fc.bigInt({ min: 0n, max: 30n });
const came = fc.record({ counted: units, late: units });
const text = units.map(String);
const payment = fc.record({
  status: fc.constantFrom(...paymentStatuses),
  accepted_at: fc.constantFrom(null, 5),
  amount: fc.constant('10'),
  refunded: text,
  resolved: text,
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

test('what is let be is never more than there is beside the refunds', () => {
  fc.assert(
    fc.property(payment, (row) => {
      const { total } = findLeftOver(row, { counted: BigInt(row.seen), late: BigInt(row.late) });
      const capped = BigInt(capResolved(row));
      const rest = total - BigInt(row.refunded);
      expect(capped).toBe([BigInt(row.resolved), rest < 0n ? 0n : rest].sort((a, b) => (a < b ? -1 : 1))[0]);
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
