import { describe, expect, test } from 'vitest';
import { findFault } from './engine/explore.ts';
import { readKept } from './engine/kept-inputs.ts';
import { mutate } from './engine/mutate.ts';
import { createRandom } from './engine/random.ts';
import { REPLAYED } from './target.ts';
import { loadTarget, targetNames } from './targets/all-targets.ts';

const SEED = 20_261_123;

describe.each(targetNames)('what reads %s', (name) => {
  test('keeps its law for every input that broke it once, those that reach most, and some new ones', async () => {
    const target = await loadTarget[name]();
    const corpus = [...readKept(target, 'corpus'), ...target.seeds];
    const random = createRandom(SEED);
    const material = {
      corpus,
      words: [(target.words ?? []).map((word) => Buffer.from(word))],
      maxBytes: target.maxBytes,
    };
    const inputs = [...readKept(target, 'found'), ...corpus];
    for (let i = 0; i < (target.replayed ?? REPLAYED); i++) inputs.push(mutate(material, random));
    const faults: string[] = [];
    for (const input of inputs) {
      const fault = await findFault(target, input);
      if (fault !== undefined) faults.push(`${Buffer.from(input).toString('hex')}: ${fault}`);
    }
    await target.close?.();
    expect(faults).toEqual([]);
  });
});
