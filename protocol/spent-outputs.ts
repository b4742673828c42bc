import { createReader } from './reader.ts';
import { fail, ok, type Result } from './result.ts';

/**
 * The outputs that a block spends, as Bitcoin Core 30 and later serve them (`/rest/spenttxouts/<hash>.bin`): in the order of the block's
 * inputs, without the coinbase's. Transaction `t` spends the outputs `start[t] .. start[t + 1]`; the coinbase none.
 */
export type SpentOutputs = {
  raw: Uint8Array;
  txCount: number;
  start: Uint32Array;
  value: BigInt64Array;
  scriptOffset: Uint32Array;
  scriptLength: Uint32Array;
};

/** 8 bytes of value, and a script that has none. */
const MIN_OUTPUT_BYTES = 9;

/**
 * Parses the binary answer.
 *
 * @returns the columns, or the reason why the bytes are no such answer. Counts are bounded by the bytes that are there, so memory
 * never exceeds a small multiple of the input.
 */
export function parseSpentOutputs(raw: Uint8Array): Result<SpentOutputs> {
  const reader = createReader(raw);
  const txCount = reader.count(1);
  const most = Math.floor(reader.remaining / MIN_OUTPUT_BYTES);
  const start = new Uint32Array(txCount + 1);
  const value = new BigInt64Array(most);
  const scriptOffset = new Uint32Array(most);
  const scriptLength = new Uint32Array(most);
  let outputs = 0;
  for (let t = 0; t < txCount && reader.failure === undefined; t++) {
    const count = reader.count(MIN_OUTPUT_BYTES);
    if (t === 0 && count > 0) reader.reject('a coinbase spends nothing');
    for (let i = 0; i < count && reader.failure === undefined; i++) {
      const amount = reader.i64();
      if (amount < 0n) reader.reject('an output has less than nothing');
      const length = reader.compactSize();
      value[outputs] = amount;
      scriptOffset[outputs] = reader.position;
      scriptLength[outputs] = length;
      reader.skip(length);
      outputs++;
    }
    start[t + 1] = outputs;
  }
  if (reader.failure === undefined && txCount === 0) reader.reject('no block is without a transaction');
  if (reader.remaining > 0) reader.reject(`${reader.remaining} bytes follow`);
  if (reader.failure !== undefined) return fail(reader.failure);
  return ok({
    raw,
    txCount,
    start,
    value: value.subarray(0, outputs),
    scriptOffset: scriptOffset.subarray(0, outputs),
    scriptLength: scriptLength.subarray(0, outputs),
  });
}
