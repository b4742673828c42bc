import fc from 'fast-check';
import { expect, test } from 'vitest';
import { getHexBytes } from './bytes.ts';
import { parseSpentOutputs, type SpentOutputs } from './spent-outputs.ts';
import { createWriter } from './writer.ts';

type Output = { value: bigint; script: Uint8Array };

function write(spends: readonly (readonly Output[])[]): Uint8Array {
  const writer = createWriter();
  writer.compactSize(spends.length);
  for (const outputs of spends) {
    writer.compactSize(outputs.length);
    for (const { value, script } of outputs) {
      writer.u64(value);
      writer.varBytes(script);
    }
  }
  return writer.finish();
}

function list({ raw, txCount, start, value, scriptOffset, scriptLength }: SpentOutputs): Output[][] {
  return Array.from({ length: txCount }, (_, t) =>
    Array.from({ length: start[t + 1]! - start[t]! }, (_, i) => {
      const at = start[t]! + i;
      const script = raw.slice(scriptOffset[at]!, scriptOffset[at]! + scriptLength[at]!);
      return { value: value[at]!, script };
    }),
  );
}

const GENESIS = '0100';
/** A coinbase; one transaction with two inputs, one of which spends an output without a script; one with one. */
const BLOCK =
  '0300' +
  '02' +
  '00e1f505000000001600141111111111111111111111111111111111111111' +
  '010000000000000000' +
  '01' +
  'ffffffffffffff7f0151';

test('what a node serves of a block is read', () => {
  const genesis = parseSpentOutputs(getHexBytes(GENESIS));
  expect(genesis.ok && list(genesis.value)).toEqual([[]]);
  const block = parseSpentOutputs(getHexBytes(BLOCK));
  expect(block.ok && list(block.value)).toEqual([
    [],
    [
      { value: 100_000_000n, script: getHexBytes(`0014${'11'.repeat(20)}`) },
      { value: 1n, script: new Uint8Array(0) },
    ],
    [{ value: 2n ** 63n - 1n, script: Uint8Array.of(0x51) }],
  ]);
});

test.each([
  ['nothing', '', 'needs 1 more bytes, 0 are left at byte 0'],
  ['no transaction', '00', 'no block is without a transaction at byte 1'],
  ['a coinbase that spends', '0101010000000000000000', 'a coinbase spends nothing at byte 2'],
  ['less than nothing', '0200010000000000000080', 'count'],
  ['a negative amount', '020001000000000000008000', 'an output has less than nothing at byte 11'],
  [
    'more transactions than bytes',
    'fdffff00',
    'count 65535 is more than the 1 bytes left can hold at byte 3',
  ],
  ['more outputs than bytes', '0200fdffff00', 'count 65535 is more than the 1 bytes left can hold at byte 5'],
  ['a script that ends early', '02000101000000000000000251', 'needs 2 more bytes, 1 are left at byte 12'],
  ['a long form of a small count', 'fd010000', 'size is not in its shortest encoding at byte 3'],
  ['bytes behind', '010000', '1 bytes follow at byte 2'],
])('%s is refused with its reason', (_, text, reason) => {
  const parsed = parseSpentOutputs(getHexBytes(text));
  expect(parsed.ok ? undefined : parsed.reason).toContain(reason);
});

const output = fc.record({
  value: fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }),
  script: fc.uint8Array({ maxLength: 300 }),
});
const spends = fc.array(fc.array(output, { maxLength: 5 }), { maxLength: 20 });

test('whatever a block spends is read as it was written, and nothing that is cut or goes on', () => {
  fc.assert(
    fc.property(spends, fc.nat(), (ofSpends, cut) => {
      const bytes = write([[], ...ofSpends]);
      const parsed = parseSpentOutputs(bytes);
      expect(parsed.ok && list(parsed.value)).toEqual([[], ...ofSpends]);
      expect(parseSpentOutputs(bytes.subarray(0, cut % bytes.length)).ok).toBe(false);
      expect(parseSpentOutputs(Uint8Array.of(...bytes, 0)).ok).toBe(false);
    }),
  );
});

test('any bytes are read or refused', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      const parsed = parseSpentOutputs(bytes);
      if (parsed.ok) expect(write(list(parsed.value))).toEqual(bytes);
      else expect(parsed.reason).toMatch(/ at byte \d+$/);
    }),
  );
});
