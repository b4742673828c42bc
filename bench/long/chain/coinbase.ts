import { hash } from 'node:crypto';
import { OUTPUT_BYTES, readValue, writeOutputs } from './outputs.ts';
import type { SpendSources } from './spends.ts';
import { writeUint32 } from './write-bytes.ts';

const OUTPUTS = 8;
const REWARD = 5_000_000_000;
const EXTRA_NONCE_BYTES = 4;
const OP_1 = 0x51;
const MOST_SMALL_NUMBER = 16;

/** More bytes than any coinbase of the bench has. */
export const MOST_COINBASE_BYTES = 400;

/**
 * The coinbase of a block: it says the height (BIP-34), pays the reward and the fees to eight outputs, and adds them to
 * the unspent ones. `extraNonce` tells the branches of a chain apart. Its id goes to `txids`.
 */
export function makeCoinbase(
  { height, fees, extraNonce }: { height: number; fees: number; extraNonce: number },
  sources: SpendSources,
  txids: Uint8Array,
): Uint8Array {
  const bytes = new Uint8Array(MOST_COINBASE_BYTES);
  let at = writeUint32(bytes, 0, 1);
  bytes[at] = 1;
  bytes.fill(0xff, at + 33, at + 37);
  at += 37;
  const note = heightNote(height);
  bytes[at] = note.length + 1 + EXTRA_NONCE_BYTES;
  bytes.set(note, at + 1);
  at += 1 + note.length;
  bytes[at] = EXTRA_NONCE_BYTES;
  at = writeUint32(bytes, at + 1, extraNonce);
  at = writeUint32(bytes, at, 0xffffffff);
  const split = { count: OUTPUTS, total: REWARD + fees, toHub: false };
  at = writeOutputs(split, sources, bytes, at);
  const outputsAt = at - OUTPUTS * OUTPUT_BYTES;
  at = writeUint32(bytes, at, 0);

  const whole = bytes.subarray(0, at);
  txids.set(hash('sha256', hash('sha256', whole, 'buffer'), 'buffer'), 0);
  for (let output = 0; output < OUTPUTS; output++) {
    sources.coins.add(txids, 0, output, readValue(bytes, outputsAt + output * OUTPUT_BYTES));
  }
  return whole;
}

/** The height as a script pushes it in its shortest form. */
function heightNote(height: number): number[] {
  if (height <= MOST_SMALL_NUMBER) return [OP_1 - 1 + height];
  const bytes: number[] = [];
  for (let left = height; left > 0; left >>>= 8) bytes.push(left & 0xff);
  if (bytes.at(-1)! >= 0x80) bytes.push(0);
  return [bytes.length, ...bytes];
}
