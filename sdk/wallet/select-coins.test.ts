import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Candidate, type SelectionTarget, selectCoins } from './select-coins.ts';
import { feeOf, frameWeight, inputWeight, outputWeight, vsizeOf } from './transaction-weight.ts';
import { ADDRESS_KINDS, scriptOfKey } from './wallet-address.ts';

const key = Uint8Array.from({ length: 33 }, (_, i) => (i === 0 ? 2 : 1));
const changeScript = scriptOfKey('p2wpkh', key);
const payTo = scriptOfKey('p2pkh', key);
const DUST = 5_460n;

const candidate = fc.record({
  value: fc.oneof(fc.bigInt(1n, 20_000n), fc.bigInt(1n, 10n ** 12n)),
  kind: fc.constantFrom(...ADDRESS_KINDS),
}) satisfies fc.Arbitrary<Candidate>;

const target = fc.record({
  required: fc.array(candidate, { maxLength: 2 }),
  candidates: fc.array(candidate, { maxLength: 30 }),
  outputs: fc.array(fc.record({ script: fc.constant(payTo), value: fc.bigInt(DUST, 10n ** 11n) }), {
    minLength: 1,
    maxLength: 4,
  }),
  changeScript: fc.constant(changeScript),
  feeRatePerKvb: fc.bigInt(1n, 200_000n),
  dustLimit: fc.constant(DUST),
  maxInputs: fc.constant(40),
}) satisfies fc.Arbitrary<SelectionTarget<Candidate>>;

const sum = (values: readonly { value: bigint }[]) => values.reduce((total, { value }) => total + value, 0n);

describe('coin selection', () => {
  test('never loses money: coins = outputs + change + fee; the rate is kept; change is no dust; a fee hides none', () => {
    fc.assert(
      fc.property(target, (wanted) => {
        const found = selectCoins(wanted);
        if (!found.ok) return;
        const { coins, fee, change } = found;
        expect(sum(coins)).toBe(sum(wanted.outputs) + (change ?? 0n) + fee);
        let weight = frameWeight(coins.length, wanted.outputs.length + (change === undefined ? 0 : 1));
        for (const { script } of wanted.outputs) weight += outputWeight(script);
        if (change !== undefined) weight += outputWeight(changeScript);
        for (const { kind } of coins) weight += inputWeight(kind);
        const least = feeOf(vsizeOf(weight), wanted.feeRatePerKvb);
        expect(fee).toBeGreaterThanOrEqual(least);
        if (change !== undefined) {
          expect(change).toBeGreaterThanOrEqual(DUST);
          expect(fee).toBe(least);
        } else {
          const changeCost = feeOf(vsizeOf(outputWeight(changeScript) + 4), wanted.feeRatePerKvb) + 1n;
          expect(fee).toBeLessThan(least + DUST + changeCost);
        }
        expect(new Set(coins).size).toBe(coins.length);
        expect(coins.slice(0, wanted.required.length)).toEqual(wanted.required);
        const known = [...wanted.required, ...wanted.candidates];
        expect(coins.every((coin) => known.includes(coin))).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  test('finds a payment wherever all coins together pay it', () => {
    fc.assert(
      fc.property(target, (wanted) => {
        const found = selectCoins(wanted);
        if (found.ok) return;
        expect(found.available).toBeLessThan(found.needed);
      }),
      { numRuns: 300 },
    );
  });

  test('spends a set without change where there is one', () => {
    const values = [100_000n, 70_000n, 31_000n, 9_000n];
    const candidates = values.map((value) => ({ value, kind: 'p2wpkh' as const }));
    const rate = 2_000n;
    const weight = frameWeight(2, 1) + outputWeight(payTo) + 2 * inputWeight('p2wpkh');
    const value = 70_000n + 31_000n - feeOf(vsizeOf(weight), rate);
    const found = selectCoins({
      required: [],
      candidates,
      outputs: [{ script: payTo, value }],
      changeScript,
      feeRatePerKvb: rate,
      dustLimit: DUST,
      maxInputs: 10,
    });
    expect(found).toMatchObject({
      ok: true,
      change: undefined,
      coins: [{ value: 70_000n }, { value: 31_000n }],
    });
  });

  test('coins that cost more than they bring are left alone', () => {
    const coins = [
      { value: 400n, kind: 'p2pkh' as const },
      { value: 90_000n, kind: 'p2pkh' as const },
    ];
    const found = selectCoins({
      required: [],
      candidates: coins,
      outputs: [{ script: payTo, value: 20_000n }],
      changeScript,
      feeRatePerKvb: 5_000n,
      dustLimit: DUST,
      maxInputs: 10,
    });
    expect(found).toMatchObject({ ok: true, coins: [coins[1]] });
  });

  test('says that it would take too many coins, and what is missing', () => {
    const coins = Array.from({ length: 20 }, () => ({ value: 10_000n, kind: 'p2wpkh' as const }));
    const wanted = {
      required: [],
      outputs: [{ script: payTo, value: 150_000n }],
      changeScript,
      feeRatePerKvb: 1_000n,
      dustLimit: DUST,
    };
    expect(selectCoins({ ...wanted, candidates: coins, maxInputs: 10 })).toMatchObject({
      ok: false,
      reason: 'too_many_inputs',
    });
    expect(selectCoins({ ...wanted, candidates: coins.slice(0, 10), maxInputs: 99 })).toMatchObject({
      ok: false,
      reason: 'insufficient_funds',
    });
  });
});
