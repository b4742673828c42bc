import { getShippedProfile } from '@coinfront/protocol/shipped-profiles.ts';
import { describe, expect, test } from 'vitest';
import { AppError } from '../../../errors.ts';
import type { SourceMiner } from '../pool-source.ts';
import { shortenAddress } from '../source-values.ts';
import { findMiner } from './find-miner.ts';

const profile = getShippedProfile('regtest');
const [first, second] = [
  'rltc1q9efn2kg5hsmnd9vngrxes5qp298ke9nvvgf7lm4ja53ryc9xdfcqkjzcmp',
  'mfWxJ45yp2SFn7UciZyNpvDKrzbhyfKrY8',
] as const;
const sameStart = 'rltc1q9eanotherone';

const miner = (key: string, address = shortenAddress(key)): SourceMiner => ({
  key,
  address,
  hashrates: [],
  workers: undefined,
  bestShare: undefined,
  lastShareAtMs: undefined,
});
const shortened = [miner(first), miner(second)];
const codeOf = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    if (error instanceof AppError) return error.code;
  }
  return 'none';
};

describe('which miner is meant', () => {
  test('a whole address is that miner, in any spelling, and is shown whole', () => {
    expect(findMiner(first, shortened, profile)).toMatchObject({ key: first, shown: first, isWhole: true });
    expect(findMiner(first.toUpperCase(), shortened, profile)).toMatchObject({ key: first, shown: first });
  });

  test('an address of the coin that is not in the list is not in the list, which is no error', () => {
    expect(findMiner(second, [miner(first)], profile)).toEqual({
      key: second,
      shown: second,
      listed: undefined,
      isWhole: true,
    });
  });

  test('an address as the list shortens it is that miner, and stays shortened', () => {
    for (const dots of ['…', '...'])
      expect(findMiner(`${first.slice(0, 8)}${dots}${first.slice(-6)}`, shortened, profile)).toMatchObject({
        key: first,
        shown: shortenAddress(first),
        isWhole: false,
      });
  });

  test('a beginning is compared with what is shown: nobody finds an address character by character', () => {
    expect(findMiner(first.slice(0, 8), shortened, profile)).toMatchObject({ key: first });
    expect(codeOf(() => findMiner(first.slice(0, 9), shortened, profile))).toBe('miner_not_found');
    expect(codeOf(() => findMiner(first.slice(0, -1), shortened, profile))).toBe('miner_not_found');
    // A pool that publishes whole addresses shows them whole.
    expect(findMiner(first.slice(0, 20), [miner(first, first)], profile)).toMatchObject({ key: first });
  });

  test('a beginning that several have is said to be so, with those that it may be', () => {
    const several = [...shortened, miner(sameStart)];
    expect(codeOf(() => findMiner('rltc1q9e', several, profile))).toBe('miner_ambiguous');
    expect(() => findMiner('rltc1q9e', several, profile)).toThrow(
      /2 miners .*rltc1q9e…kjzcmp, rltc1q9e…herone/,
    );
    expect(findMiner('rltc1q9e…kjzcmp', several, profile)).toMatchObject({ key: first });
  });

  test('what is too short, or has several gaps, finds nobody', () => {
    for (const typed of ['r', 'rltc1', '', '…', '…kjzcmp', 'rltc1q9e…kj…mp', 'nobody'])
      expect(
        codeOf(() => findMiner(typed, shortened, profile)),
        typed,
      ).toBe('miner_not_found');
  });
});
