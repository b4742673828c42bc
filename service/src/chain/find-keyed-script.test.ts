import { transactionArbitrary } from '@coinfront/protocol/testing/arbitraries.ts';
import { serializeTransaction } from '@coinfront/protocol/transaction.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { keyOfScript } from '../indexer/encoding/hashes.ts';
import { findKeyedScript } from './find-keyed-script.ts';

/** Of all lengths at which hashing goes another way, and as many as make more than two rounds. */
const script = fc.oneof(
  fc.uint8Array({ maxLength: 60 }),
  fc.uint8Array({ minLength: 1_010, maxLength: 1_030, size: 'max' }),
);
const scripts = fc.oneof(
  fc.array(script, { minLength: 1, maxLength: 12 }),
  fc.array(fc.uint8Array({ minLength: 20, maxLength: 40 }), { minLength: 600, maxLength: 700 }),
);

test('finds every script that a transaction pays by the beginning of its hash', () => {
  fc.assert(
    fc.property(transactionArbitrary('none'), scripts, (tx, paid) => {
      const outputs = paid.map((each) => ({ value: 1n, script: each }));
      const raw = serializeTransaction({ ...tx, outputs }, { witness: true });
      for (const each of paid) expect(findKeyedScript(raw, keyOfScript(each))).toEqual(each);
      expect(findKeyedScript(raw, new Uint8Array(16))).toBeUndefined();
    }),
    { numRuns: 20 },
  );
});
