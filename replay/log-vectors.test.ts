import { expect, test } from 'vitest';
import { fromHex } from './bytes.ts';
import { checkCheckpoint } from './checkpoint.ts';
import { readVectors } from './testing/vectors.ts';
import { checkSeal, type Seal } from './treasury-seal.ts';

test('checkpoints of the vectors are those of their entries, and of no others', () => {
  const { origin, entries, checkpoints } = readVectors('signed-log');
  const key = origin.split('/')[1];
  const known: Uint8Array[] = entries.map((entry: string) => fromHex(entry));
  for (const { note } of checkpoints) {
    const check = (of: readonly Uint8Array[], text = note) =>
      checkCheckpoint(text, { key, entries: of, height: 1 });
    check(known);
    expect(() => check(known.with(0, Uint8Array.of(1)))).toThrow('root');
    expect(() => check(known.slice(0, 3))).toThrow('whether the epochs are there');
    const signature = note.slice(0, -4);
    expect(() => check(known, `${signature.slice(0, -8)}AAAAAAAA\n`)).toThrow('signature');
  }
});

test('the seals of the vectors are those of their entries, and bind each to the one before', () => {
  const { network, entries } = readVectors('treasury').ledger;
  let before: Seal | undefined;
  for (const { entry, seal } of entries) {
    const item = { ...entry, seal };
    expect(() => checkSeal({ ...item, amount: '0.00000001' }, before, network, 1)).toThrow('hash of entry');
    if (before) {
      const other = { ...before, hash: '00'.repeat(32) };
      expect(() => checkSeal(item, other, network, 1)).toThrow('previous_hash');
    }
    before = checkSeal(item, before, network, 1);
    expect(before?.hash).toBe(seal.hash);
  }
});
