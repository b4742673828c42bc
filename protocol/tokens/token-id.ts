import { utf8ToBytes } from '@noble/hashes/utils.js';
import { concatBytes } from '../bytes.ts';
import { sha256 } from '../hash.ts';
import type { TxInput } from '../transaction.ts';
import { createWriter } from '../writer.ts';

const TAG = utf8ToBytes('VTK1');

/**
 * The id of the token that a CREATE makes: SHA-256("VTK1" || {@link genesisPrefix} || outpoint of input 0 (36 bytes as
 * on the wire) || payload (whole, marker included)). Known before signing, and kept by a fee bump that keeps input 0.
 */
export function tokenIdOf(
  input0: Pick<TxInput, 'prevTxid' | 'prevVout'>,
  payload: Uint8Array,
  genesisPrefix: Uint8Array,
): Uint8Array {
  const outpoint = createWriter(36);
  outpoint.bytes(input0.prevTxid);
  outpoint.u32(input0.prevVout);
  return sha256(concatBytes(TAG, genesisPrefix, outpoint.finish(), payload));
}
