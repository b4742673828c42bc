import { utf8ToBytes } from '@noble/hashes/utils.js';
import { concatBytes } from '../bytes.ts';
import { sha256 } from '../hash.ts';
import { nameBytes } from './name-syntax.ts';

const TAG = utf8ToBytes('VNS1');

/** What a commitment binds: who will own the name, and which, hidden by 16 random bytes. */
export type CommitmentParts = { ownerScript: Uint8Array; salt: Uint8Array; name: string };

/**
 * The commitment to a name: SHA-256("VNS1" || {@link genesisPrefix} || SHA-256(owner's scriptPubKey) || salt || name).
 * Bound to the owner, so a copied reveal is worth nothing.
 */
export function nameCommitment(
  { ownerScript, salt, name }: CommitmentParts,
  genesisPrefix: Uint8Array,
): Uint8Array {
  return sha256(concatBytes(TAG, genesisPrefix, sha256(ownerScript), salt, nameBytes(name)));
}
