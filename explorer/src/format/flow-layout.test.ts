import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { foldSides, layoutFlow, MOST_SIDES } from './flow-layout.ts';

const side = (name: string, value: bigint) => ({ name, value });

describe('the flow of a transaction', () => {
  test('is as thick as what flows, and what has no value can be seen, too', () => {
    const flow = layoutFlow(
      [side('a', 75n), side('b', 25n)],
      [side('c', 90n), side('data', 0n), { ...side('fee', 10n), isFee: true }],
    );
    expect(flow.inputs.map(({ thickness }) => thickness)).toEqual([72, 24]);
    expect(flow.outputs.map(({ thickness }) => thickness)).toEqual([86.4, 1, 9.6]);
    expect(flow.outputs.at(-1)?.isFee).toBe(true);
  });

  test('lies within its picture, and no two bands lie on each other at the sides', () => {
    const sides = fc.array(fc.bigInt(0n, 21_000_000n * 100_000_000n), {
      minLength: 1,
      maxLength: MOST_SIDES,
    });
    fc.assert(
      fc.property(sides, sides, (inputs, outputs) => {
        const flow = layoutFlow(
          inputs.map((value) => side('in', value)),
          outputs.map((value) => side('out', value)),
        );
        for (const bands of [flow.inputs, flow.outputs]) {
          let end = 0;
          for (const { path, thickness } of bands) {
            const [, at] = /^M\d+ ([\d.]+)C/.exec(path)!;
            expect(Number(at) - thickness / 2).toBeGreaterThanOrEqual(end - 0.02);
            end = Number(at) + thickness / 2;
          }
          expect(end).toBeLessThanOrEqual(flow.height);
        }
      }),
    );
  });

  test('of many sides is folded, and nothing of it is lost', () => {
    fc.assert(
      fc.property(
        fc.array(fc.bigInt(0n, 1_000n), { maxLength: 60 }),
        fc.record({ count: fc.nat(9_000), value: fc.bigInt(0n, 1_000_000n) }),
        (values, others) => {
          const rest = others.count === 0 ? { count: 0, value: 0n } : others;
          const folded = foldSides(
            values.map((value) => side('one', value)),
            rest,
          );
          expect(folded.length).toBeLessThanOrEqual(MOST_SIDES);
          expect(folded.reduce((sum, { value }) => sum + value, 0n)).toBe(
            values.reduce((sum, value) => sum + value, rest.value),
          );
        },
      ),
    );
    expect(foldSides([side('one', 1n)], { count: 1_234, value: 5n })).toEqual([
      side('one', 1n),
      side('1,234 more', 5n),
    ]);
  });
});
