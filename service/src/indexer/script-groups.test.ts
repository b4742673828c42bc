import type { ScannedBlock } from '@coinfront/protocol/block-scan.ts';
import { concatBytes } from '@coinfront/protocol/bytes.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createScriptGroups } from './script-groups.ts';

type Script = { key: number; bytes: Uint8Array };

/** Few scripts; some share a key, as only what somebody made for it does. */
const scriptArbitrary: fc.Arbitrary<Script> = fc.oneof(
  { weight: 5, arbitrary: fc.nat(30).map((n) => ({ key: n % 7, bytes: Uint8Array.of(n) })) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 3 }).map((bytes) => ({ key: 2 ** 47 + 3, bytes })) },
  { weight: 1, arbitrary: fc.nat(1_000_000).map((n) => ({ key: n, bytes: Uint8Array.of(n >>> 8, n) })) },
);

function scanOf(scripts: readonly Script[]): ScannedBlock {
  const lengths = scripts.map(({ bytes }) => bytes.length);
  const offsets = lengths.map((_, o) => lengths.slice(0, o).reduce((sum, length) => sum + length, 0));
  return {
    raw: concatBytes(...scripts.map(({ bytes }) => bytes)),
    outputCount: scripts.length,
    scriptOffset: Uint32Array.from(offsets),
    scriptLength: Uint32Array.from(lengths),
    scriptKey: Float64Array.from(scripts, ({ key }) => key),
  } as ScannedBlock;
}

test('outputs are grouped by what their scripts are, batch after batch', () => {
  const builder = createScriptGroups();
  const batch = fc.array(fc.array(scriptArbitrary, { maxLength: 40 }), { maxLength: 6 });
  fc.assert(
    fc.property(batch, (blocks) => {
      const scans = blocks.map(scanOf);
      for (const scan of scans) builder.add(scan);
      const groups = builder.take();

      const expected = new Map<string, { key: number; positions: number[] }>();
      for (const [position, { key, bytes }] of blocks.flat().entries()) {
        const group = expected.get(`${key} ${bytes}`) ?? { key, positions: [] };
        group.positions.push(position);
        expected.set(`${key} ${bytes}`, group);
      }
      const wanted = [...expected.values()];
      expect([...groups.key]).toEqual(wanted.map(({ key }) => key));
      expect([...groups.fundings]).toEqual(wanted.map(({ positions }) => positions.length));
      expect([...groups.paidAt]).toEqual(wanted.map(({ positions }) => positions[0]));
      for (const [slot, { positions }] of wanted.entries()) {
        for (const position of positions) expect(groups.slotOfOutput[position]).toBe(slot);
        const before = scans.slice(0, groups.block[slot]!).reduce((sum, scan) => sum + scan.outputCount, 0);
        expect(before + groups.output[slot]!).toBe(positions[0]);
      }
    }),
  );
});

test('a batch larger than the first room is grouped as well', () => {
  const builder = createScriptGroups();
  const scripts = Array.from({ length: 10_000 }, (_, n) => ({
    key: (n % 6_000) * 2 ** 20,
    bytes: Uint8Array.of((n % 6_000) >>> 8, n % 6_000),
  }));
  for (let from = 0; from < scripts.length; from += 900) builder.add(scanOf(scripts.slice(from, from + 900)));
  const { key, slotOfOutput, fundings } = builder.take();
  expect(key.length).toBe(6_000);
  expect([...slotOfOutput]).toEqual(scripts.map((_, n) => n % 6_000));
  expect(fundings.reduce((sum, count) => sum + count, 0)).toBe(10_000);
});
