import { afterAll, describe, expect, test } from 'vitest';
import type { FuzzTarget } from '../target.ts';
import { type Exploration, explore } from './explore.ts';
import { addCounters, type Counters } from './instrument.ts';

/** Chance alone meets four bytes one behind the other in one of four thousand million inputs. */
const FOUR_GATES = `
export function read(bytes) {
  if (bytes[0] !== 0xc7) return 'none';
  if (bytes[1] !== 0x1f) return 'one';
  if (bytes[2] !== 0x9a) return 'two';
  if (bytes[3] !== 0x3b) return 'three';
  throw new TypeError('planted');
}`;
const SOUND = FOUR_GATES.replace("throw new TypeError('planted')", "return 'all'");
/** Enough for each of ten seeds, and a ten-thousandth of what chance alone would take. */
const INPUTS = 400_000;
const COUNTS = '__fuzzCounts';
const globals = globalThis as Record<string, unknown>;

afterAll(() => {
  delete globals[COUNTS];
});

let modules = 0;

/** Loads a program as the runs of the fuzzer do, with a counter in each block, or with none. */
async function load(source: string, isCounted: boolean): Promise<{ target: FuzzTarget; counters: Counters }> {
  const counts = new Uint32Array(64);
  globals[COUNTS] = counts;
  const { code, next } = addCounters(source, 'js', 0);
  const text = `${isCounted ? code : source}\n// ${++modules}`;
  const url = `data:text/javascript,${encodeURIComponent(text)}`;
  const { read } = (await import(/* @vite-ignore */ url)) as { read: (bytes: Uint8Array) => unknown };
  const target: FuzzTarget = {
    name: 'planted',
    reads: 'four bytes',
    form: 'bytes',
    maxBytes: 64,
    seeds: [new Uint8Array(16)],
    check: (input) => void read(input),
    growing: {},
  };
  return { target, counters: { counts, used: () => next, words: new Set() } };
}

const options = (seed: number) => ({ inputs: INPUTS, seed, kept: [], onProgress: () => {} });

async function tryIt(source: string, seed: number, isCounted = true): Promise<Exploration> {
  const { target, counters } = await load(source, isCounted);
  return await explore(target, counters, options(seed));
}

describe('a bug behind four bytes', () => {
  test('is found by what inputs reach, and told with the shortest input that shows it', async () => {
    for (const seed of [1, 2, 3]) {
      const { findings } = await tryIt(FOUR_GATES, seed);
      expect(findings.map(({ input }) => Buffer.from(input).toString('hex'))).toEqual(['c71f9a3b']);
      expect(findings[0]!.error).toContain('TypeError: planted');
    }
  });

  test('is not found where nothing is counted: it is the counters that lead there', async () => {
    const { findings, reached } = await tryIt(FOUR_GATES, 1, false);
    expect([findings, reached]).toEqual([[], 0]);
  });

  test('is found by the same inputs again with the same seed', async () => {
    const { target, counters } = await load(FOUR_GATES, true);
    const tried = async (): Promise<[Exploration, string[]]> => {
      const inputs: string[] = [];
      const check = (input: Uint8Array) => {
        if (inputs.length < 1_000) inputs.push(Buffer.from(input).toString('hex'));
        return target.check(input);
      };
      return [await explore({ ...target, check }, counters, options(7)), inputs];
    };
    const first = await tried();
    expect(first[0].findings).toHaveLength(1);
    expect(await tried()).toEqual(first);
  });
});

test('a sound program has no findings, and a few short inputs are kept that reach all of it', async () => {
  const { findings, tried, reached, essence } = await tryIt(SOUND, 1);
  expect([findings, tried]).toEqual([[], INPUTS]);
  const { target, counters } = await load(SOUND, true);
  for (const input of essence) target.check(input);
  expect(counters.counts.filter((count) => count > 0)).toHaveLength(reached);
});

test('an input that never ends well in time is a finding', async () => {
  const source = `export function read(bytes) {
  if (bytes.length !== 3) return;
  const until = performance.now() + 1_050;
  while (performance.now() < until);
}`;
  const { target, counters } = await load(source, true);
  const slow = { ...target, seeds: [new Uint8Array(3)] };
  const { findings } = await explore(slow, counters, { ...options(1), inputs: 1 });
  expect(findings.map(({ error }) => error.split(':')[0])).toEqual(['SlowInput']);
});
