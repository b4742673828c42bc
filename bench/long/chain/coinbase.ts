import { hash } from 'node:crypto';
import type { Random } from '../../chain/random.ts';
import type { Coin } from './coin-records.ts';
import { OUTPUT_BYTES, readOutput, writeOutputs } from './outputs.ts';
import type { Payees } from './payees.ts';
import { writeUint32 } from './write-bytes.ts';

/** A coinbase: its bytes, its id in internal byte order, its outputs. */
export type Coinbase = { bytes: Uint8Array; txid: Uint8Array; coins: Coin[] };

/** More bytes than any coinbase of the bench has. */
export const MOST_COINBASE_BYTES = 400;

const OUTPUTS = 8;
const REWARD = 5_000_000_000;
const EXTRA_NONCE_BYTES = 4;
const OP_1 = 0x51;
const MOST_SMALL_NUMBER = 16;

/**
 * The coinbase of a block: it says the height (BIP-34) and pays the reward and the fees to eight outputs. The reward never
 * halves, so that there is something to spend on a long chain. `extraNonce` tells branches apart.
 */
export function makeCoinbase(
  { height, fees, extraNonce }: { height: number; fees: number; extraNonce: number },
  sources: { random: Random; payees: Payees },
): Coinbase {
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
  const end = writeOutputs(split, sources, bytes, at);
  const whole = bytes.subarray(0, writeUint32(bytes, end, 0));
  return {
    bytes: whole,
    txid: hash('sha256', hash('sha256', whole, 'buffer'), 'buffer'),
    coins: Array.from({ length: OUTPUTS }, (_, output) =>
      readOutput(whole, end - (OUTPUTS - output) * OUTPUT_BYTES, sources.payees),
    ),
  };
}

/** The height as a script pushes it in its shortest form. */
function heightNote(height: number): number[] {
  if (height <= MOST_SMALL_NUMBER) return [OP_1 - 1 + height];
  const bytes: number[] = [];
  for (let left = height; left > 0; left >>>= 8) bytes.push(left & 0xff);
  if (bytes.at(-1)! >= 0x80) bytes.push(0);
  return [bytes.length, ...bytes];
}
