import { expect, test } from 'vitest';
import { fromHex } from './bytes.ts';
import { writeCanonicalJson } from './canonical-json.ts';
import { checkCheckpoint } from './checkpoint.ts';
import type { Json } from './list-new.ts';
import { readVectors } from './testing/vectors.ts';
import { checkSeal, type Seal } from './treasury-seal.ts';

test('checkpoints of the vectors are those of their entries, and of no others', () => {
  const { origin, entries, checkpoints } = readVectors('signed-log');
  const key = origin.split('/')[1];
  const known: Uint8Array[] = entries.map((entry: string) => fromHex(entry));
  for (const { note } of checkpoints) {
    const check = (of: readonly Uint8Array[], text = note) =>
      checkCheckpoint(text, { kind: 'node-registry', key, entries: of, height: 1 });
    check(known);
    expect(() => check(known.with(0, Uint8Array.of(1)))).toThrow('root');
    expect(() => check(known.slice(0, 3))).toThrow('whether the entries are there');
    const signature = note.slice(0, -4);
    expect(() => check(known, `${signature.slice(0, -8)}AAAAAAAA\n`)).toThrow('signature');
  }
});

test('the log of a treasury has heads of the ledger of the vectors', () => {
  const { ledger, log } = readVectors('treasury');
  const [kind, key] = log.origin.split('/');
  const known: Uint8Array[] = log.entries.map((entry: string) => Buffer.from(entry));
  for (const { note } of log.checkpoints) checkCheckpoint(note, { kind, key, entries: known, height: 1 });
  for (const text of log.entries) {
    const head = JSON.parse(text);
    expect(writeCanonicalJson(head)).toBe(text);
    expect(head).toMatchObject({
      type: 'treasury-head',
      version: 1,
      network: ledger.network,
      service_key: key,
    });
    const sealed = ledger.entries.find(({ entry }: { entry: Json }) => entry.sequence === head.sequence);
    expect(head.hash).toBe(sealed.seal.hash);
  }
  expect(log.entries).toHaveLength(2);
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
