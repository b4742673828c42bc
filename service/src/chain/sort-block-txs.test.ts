import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { TxSummary } from './chain-view.ts';
import { type BlockTxQuery, sortBlockTxs } from './sort-block-txs.ts';

const makeTx = (
  position: number,
  fee: bigint | undefined,
  weight: number,
  outputValue: bigint,
): TxSummary => ({
  id: position,
  txid: new Uint8Array(32),
  height: 1,
  position,
  weight,
  fee,
  outputValue,
});
const all: BlockTxQuery = {
  sort: 'position',
  order: 'asc',
  minMilliRate: undefined,
  minOutputValue: undefined,
};
const hasFee = ({ fee }: TxSummary): boolean => fee !== undefined;
const positions = (txs: readonly TxSummary[]): number[] => txs.map(({ position }) => position);

const block = [
  makeTx(0, undefined, 400, 5_000n),
  makeTx(1, 100n, 400, 10n),
  makeTx(2, 300n, 4_000, 30n),
  makeTx(3, 100n, 400, 20n),
  makeTx(4, 50n, 100, 0n),
];

test.each<[Partial<BlockTxQuery>, number[]]>([
  [{}, [0, 1, 2, 3, 4]],
  [{ order: 'desc' }, [4, 3, 2, 1, 0]],
  [{ sort: 'fee', order: 'desc' }, [2, 1, 3, 4, 0]],
  [{ sort: 'fee', order: 'asc' }, [4, 1, 3, 2, 0]],
  [{ sort: 'fee_rate', order: 'desc' }, [4, 1, 3, 2, 0]],
  [{ sort: 'output_value', order: 'desc' }, [0, 2, 3, 1, 4]],
  [{ sort: 'vsize', order: 'asc' }, [4, 0, 1, 3, 2]],
  [{ minMilliRate: 1_000n }, [1, 3, 4]],
  [{ minMilliRate: 1_001n }, [4]],
  [{ minOutputValue: 20n }, [0, 2, 3]],
  [{ minOutputValue: 20n, minMilliRate: 1n, sort: 'vsize', order: 'desc' }, [2, 3]],
])('%o gives the transactions at %o', (query, expected) => {
  expect(positions(sortBlockTxs(block, { ...all, ...query }, hasFee))).toEqual(expected);
});

test('each order has the same transactions, and the coinbase last where it is by fees', () => {
  const anyTx = fc.record({
    fee: fc.bigInt(0n, 2n ** 51n),
    weight: fc.integer({ min: 240, max: 400_000 }),
    outputValue: fc.bigInt(0n, 2n ** 51n),
  });
  fc.assert(
    fc.property(
      fc.array(anyTx, { maxLength: 40 }),
      fc.constantFrom(...(['fee', 'fee_rate', 'output_value', 'vsize'] as const)),
      fc.constantFrom(...(['asc', 'desc'] as const)),
      (txs, sort, order) => {
        const paying = txs.map(({ fee, weight, outputValue }, i) => makeTx(i + 1, fee, weight, outputValue));
        const sorted = sortBlockTxs(
          [makeTx(0, undefined, 400, 1n), ...paying],
          { ...all, sort, order },
          hasFee,
        );
        expect(positions(sorted).sort((a, b) => a - b)).toEqual([0, ...positions(paying)]);
        if (sort.startsWith('fee')) expect(sorted.at(-1)!.position).toBe(0);
        const rates = sorted.flatMap(({ fee, weight }) => (fee === undefined ? [] : [Number(fee) / weight]));
        const ascending = order === 'asc' ? rates : rates.toReversed();
        if (sort === 'fee_rate')
          for (let i = 1; i < ascending.length; i++)
            expect(ascending[i]! / ascending[i - 1]! >= 1 - 1e-9 || ascending[i - 1] === 0).toBe(true);
      },
    ),
  );
});
