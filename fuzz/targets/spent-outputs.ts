import { parseSpentOutputs } from '@coinfront/protocol/spent-outputs.ts';
import { createWriter } from '@coinfront/protocol/writer.ts';
import { demand, type FuzzTarget, hex } from '../target.ts';

const OUTPUT = `01${'00'.repeat(7)}0151`;

/** The answer of a node about what a block spends. */
export const spentOutputsTarget: FuzzTarget = {
  name: 'spent-outputs',
  reads: 'what a node says of the outputs that a block spends',
  form: 'bytes',
  maxBytes: 2_048,
  seeds: [hex('0100'), hex(`020001${OUTPUT}`), hex(`030002${OUTPUT}${OUTPUT}00`)],
  check(input) {
    const parsed = parseSpentOutputs(input);
    if (!parsed.ok) return;
    const { raw, txCount, start, value, scriptOffset, scriptLength } = parsed.value;
    const writer = createWriter(input.length);
    writer.compactSize(txCount);
    for (let t = 0; t < txCount; t++) {
      writer.compactSize(start[t + 1]! - start[t]!);
      for (let i = start[t]!; i < start[t + 1]!; i++) {
        demand(value[i]! >= 0n, 'no output has less than nothing');
        writer.u64(value[i]!);
        writer.varBytes(raw.subarray(scriptOffset[i], scriptOffset[i]! + scriptLength[i]!));
      }
    }
    demand(Buffer.from(writer.finish()).equals(input), 'it is written as it was read');
  },
  growing: {
    transactions: (bytes) => writeCounted(bytes, hex('00')),
    outputs: (bytes) => Buffer.concat([hex('0200'), writeCounted(bytes, hex(OUTPUT))]),
    'a script': (bytes) => Buffer.concat([hex(`020001${'00'.repeat(8)}`), writeCounted(bytes, hex('51'))]),
  },
};

function writeCounted(bytes: number, item: Uint8Array): Uint8Array {
  const count = Math.ceil(bytes / item.length);
  const writer = createWriter();
  writer.compactSize(count);
  for (let i = 0; i < count; i++) writer.bytes(item);
  return writer.finish();
}
