import { expect, test } from 'vitest';
import { findOperatorsWords, listEntryWords } from './entry-words.ts';

const entry: Parameters<typeof listEntryWords>[0] = {
  kind: 'unattributed',
  ...{ sequence: 7, reason: null, late: false, reverses: null, assigned_by: null },
  ...{ refers_to: null, purpose: null, payee: null, note: null },
};

test('what is said of an entry is told apart: the reason of a gift, and that a reversal takes it back', () => {
  expect(
    listEntryWords({ ...entry, kind: 'reversal', reason: 'no_intent', late: true, reverses: 5 }),
  ).toEqual(['no intent', 'late', 'takes 5 back']);
  expect(listEntryWords({ ...entry, kind: 'contribution', assigned_by: 'claim' })).toEqual([
    'claimed by its sender',
  ]);
  expect(listEntryWords({ ...entry, reason: 'no_intent', assigned_by: 'operator' })).toEqual([
    'no intent',
    'taken from its contributor by the operator',
  ]);
  expect(listEntryWords(entry)).toEqual([]);
});

test("the operator's words stand at the spend, and at the note itself", () => {
  const words = { purpose: 'Rent', payee: 'A landlord' };
  expect(findOperatorsWords({ ...entry, kind: 'note', ...words, refers_to: 3 })).toEqual({
    ...words,
    sequence: 3,
  });
  expect(findOperatorsWords({ ...entry, kind: 'spend', note: { ...words, sequence: 7 } })).toEqual({
    ...words,
    sequence: 7,
  });
  expect(findOperatorsWords(entry)).toBeUndefined();
});
