import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { concatBytes } from './bytes.ts';

/** BIP-43 purpose of COIN-HD-1's secrets: the ASCII letters "COIN" as a number. */
export const SECRET_PURPOSE = 0x434f494e;

const NAME_SALT_TAG = 'COIN-HD-1 name salt';
const NODE_KEY_TAG = 'COIN-HD-1 node key';
const CONTRIBUTOR_TAG = 'COIN-HD-1 contributor secret';
const NAME_SALT_BYTES = 16;
const GENESIS_PREFIX_BYTES = 8;

/** Path of the key that name salts are made with: all hardened. */
export function nameSaltPath(coinType: number): string {
  return `m/${SECRET_PURPOSE}'/${coinType}'/0'`;
}

/** Path of the key that a contributor identity's secret is made with: all hardened, one index an identity. */
export function contributorSecretPath(coinType: number, index: number | 'index'): string {
  return `m/${SECRET_PURPOSE}'/${coinType}'/1'/${index}'`;
}

/** Path of the key that a node's identity is made with: all hardened, one index a node. */
export function nodeKeyPath(coinType: number, index: number | 'index'): string {
  return `m/${SECRET_PURPOSE}'/${coinType}'/2'/${index}'`;
}

/**
 * The 16-byte salt of a name's commitment, which a restored wallet makes again: the first half of HMAC-SHA256,
 * keyed with the private key at {@link nameSaltPath}, of tag, 00, the first 8 bytes of the genesis hash
 * (internal byte order) and the name.
 */
export function deriveNameSalt(branchKey: Uint8Array, genesisHash: Uint8Array, name: string): Uint8Array {
  return keyedHash(branchKey, NAME_SALT_TAG, genesisHash, utf8ToBytes(name)).slice(0, NAME_SALT_BYTES);
}

/**
 * The 32-byte secret of a treasury contributor identity: HMAC-SHA256, keyed with the private key at
 * {@link contributorSecretPath}, of tag, 00 and the first 8 bytes of the genesis hash (internal byte order).
 */
export function deriveContributorSecret(branchKey: Uint8Array, genesisHash: Uint8Array): Uint8Array {
  return keyedHash(branchKey, CONTRIBUTOR_TAG, genesisHash);
}

/**
 * The 32-byte Ed25519 private key (RFC 8032) by which a node is known to a node registry: HMAC-SHA256, keyed with the
 * private key at {@link nodeKeyPath}, of tag, 00 and the first 8 bytes of the genesis hash (internal byte order).
 */
export function deriveNodeKey(branchKey: Uint8Array, genesisHash: Uint8Array): Uint8Array {
  return keyedHash(branchKey, NODE_KEY_TAG, genesisHash);
}

function keyedHash(
  key: Uint8Array,
  tag: string,
  genesisHash: Uint8Array,
  ...parts: Uint8Array[]
): Uint8Array {
  const message = concatBytes(
    utf8ToBytes(tag),
    Uint8Array.of(0),
    genesisHash.subarray(0, GENESIS_PREFIX_BYTES),
    ...parts,
  );
  return hmac(sha256, key, message);
}
