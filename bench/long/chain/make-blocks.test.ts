import { bytesToHex, toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import { getShippedProfile } from '@coinfront/protocol/shipped-profiles.ts';
import { parseTransaction, txidOf } from '@coinfront/protocol/transaction.ts';
import { describe, expect, test } from 'vitest';
import { writeSpentAnswers } from '../../../test/harness/spent-answers.ts';
import { GENESIS, hashHeader } from './genesis.ts';
import { createBlockMaker } from './make-blocks.ts';
import { MIXES, type MixName } from './mixes.ts';
import { replay, scanChain, scanChecked } from './testing/replay.ts';

describe('a made chain', () => {
  test('stands on the genesis block of its profile', () => {
    expect(toDisplayHash(hashHeader(GENESIS))).toBe(getShippedProfile('regtest').genesisHash);
  });

  test('is the same for a seed, and another for another seed', () => {
    const hashesOf = (seed: number) => {
      const maker = createBlockMaker(MIXES.calibrated, seed);
      return Array.from({ length: 12 }, () => bytesToHex(maker.next().hash));
    };
    expect(hashesOf(3)).toEqual(hashesOf(3));
    expect(new Set([...hashesOf(3), ...hashesOf(4)]).size).toBe(24);
  });

  test('has transactions that are parsed to what they are hashed to', () => {
    const [scan] = scanChain('harsh', 6, 20).slice(-1);
    for (const tx of [0, 1, scan!.txCount - 1]) {
      const bytes = scan!.raw.subarray(scan!.txOffset[tx]!, scan!.txOffset[tx + 1]!);
      const txid = txidOf(getValue(parseTransaction(bytes)));
      expect(bytesToHex(txid)).toBe(bytesToHex(scan!.txid.subarray(tx * 32, tx * 32 + 32)));
    }
  });

  test.each([
    ['harsh', 1.79, 2.22, 0.55],
    ['calibrated', 1.79, 2.22, 0.55],
    ['dogecoin', 1.79, 2.22, 0.55],
    ['hub', 1.79, 2.22, 0.3],
    ['new', 1.79, 2.22, 1],
    ['consolidate', 3.53, 4.28, 0.55],
    ['empty', 1.79, 2.22, 0.55],
  ] as const)(
    'of the mix %s spends what there is, once, balances, and has its shares',
    (mix, inputs, outputs, fresh) => {
      const chain = replay(scanChain(mix, 7, 8_000));
      expect(chain.inputs / chain.spends / inputs).toBeCloseTo(1, 1);
      expect(chain.outputs / chain.spends / outputs).toBeCloseTo(1, 1);
      expect(chain.unclaimed).toBe(0n);
      expect(chain.newShare).toBeCloseTo(fresh, 1);
    },
  );

  test('of the mix wide has transactions of 3,000 outputs, and balances', () => {
    const blocks = scanChain('wide', 7, 6_000);
    replay(blocks);
    const outputs = blocks.flatMap(({ outputStart }) =>
      [...outputStart].map((start, t) => start - (outputStart[t - 1] ?? 0)),
    );
    expect(Math.max(...outputs)).toBe(3_000);
  });

  test('of the mix consolidate has transactions of twenty inputs', () => {
    const inputs = scanChain('consolidate', 7, 3_000).flatMap(({ inputStart }) =>
      [...inputStart].map((start, t) => start - (inputStart[t - 1] ?? 0)),
    );
    expect(inputs.filter((count) => count === 20).length / inputs.length).toBeCloseTo(0.1, 1);
  });

  test.each(Object.keys(MIXES) as MixName[])(
    'of the mix %s says what its blocks spend, as it is in the blocks before',
    (mix) => {
      const maker = createBlockMaker(MIXES[mix], 12);
      let previous: Uint8Array = hashHeader(GENESIS);
      const made = Array.from({ length: mix === 'empty' || mix === 'dogecoin' ? 200 : 5 }, () => {
        const block = maker.next();
        const { height, hash, spent } = { ...block, spent: bytesToHex(block.spent) };
        const scan = scanChecked(block, previous);
        previous = hash;
        return { height, hash, scan, spent };
      });
      expect(made.map(({ spent }) => spent)).toEqual(writeSpentAnswers(made).map(bytesToHex));
      expect(made.at(-1)!.spent.length).toBeGreaterThan(4);
    },
  );

  test('of the mix hub pays one script in every transaction', () => {
    const { paidTimes, spends } = replay(scanChain('hub', 10, 3_000));
    expect(Math.max(...paidTimes.values())).toBeGreaterThanOrEqual(spends);
  });

  test.each([
    ['dogecoin', 30, 30],
    ['empty', 1, 3],
  ] as const)('of the mix %s has blocks of %i to %i transactions', (mix, least, most) => {
    const counts = scanChain(mix, 11, 1_000).map(({ txCount }) => txCount);
    const settled = counts.slice(5);
    expect(Math.min(...settled)).toBeGreaterThanOrEqual(least);
    expect(Math.max(...settled)).toBeLessThanOrEqual(most);
  });
});
