import { bytesToHex, getHexBytes, parseDisplayHash } from '../bytes.ts';
import { sha256 } from '../hash.ts';
import { getValue } from '../result.ts';

/**
 * What a branch of a timestamp ends with. `block`: its message is the merkle root of the block of this height, in a chain that the tag
 * names. `pending`: a calendar has promised more. `unknown`: a tag that nothing is known of.
 */
export type OtsAttestation =
  | { kind: 'block'; tag: string; height: number }
  | { kind: 'pending'; uri: string }
  | { kind: 'unknown'; tag: string; payload: Uint8Array };

/** Tags, hex. */
export const OTS_ATTESTATIONS = {
  pending: '83dfe30d2ef90c8e',
  bitcoin: '0588960d73d71901',
  litecoin: '06869a0d73d71b45',
} as const;

/** Bytes of a tag. */
export const OTS_TAG_BYTES = 8;

const GENESIS: Readonly<Record<string, string>> = {
  '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f': OTS_ATTESTATIONS.bitcoin,
  '12a765e31ffd4059bada1e25190f6e98c99d9714d334efa41a195a7e7e04bfe2': OTS_ATTESTATIONS.litecoin,
};
const OWN_TAG = new TextEncoder().encode('coinfront/ots/block/1');

/**
 * The tag (hex) of attestations by blocks of a chain: that of the format for Bitcoin and Litecoin, and for every other chain the first 8
 * bytes of SHA-256 of `coinfront/ots/block/1` and its genesis hash in internal byte order. Other programs take those for unknown.
 *
 * @param genesisHash display hex
 */
export function blockTagOf(genesisHash: string): string {
  const known = GENESIS[genesisHash];
  if (known !== undefined) return known;
  const genesis = getValue(parseDisplayHash(genesisHash));
  return bytesToHex(sha256(Uint8Array.from([...OWN_TAG, ...genesis])).subarray(0, OTS_TAG_BYTES));
}

/** Tags of blocks that are read in every file. */
export const FORMAT_BLOCK_TAGS: readonly string[] = [OTS_ATTESTATIONS.bitcoin, OTS_ATTESTATIONS.litecoin];

/** Characters of the address of a calendar at most. */
const MAX_URI = 1_000;

/** Whether a calendar may have this address: letters, digits and `-._/:`. */
export function isCalendarUri(uri: string): boolean {
  return uri.length <= MAX_URI && /^[A-Za-z0-9\-._/:]*$/.test(uri);
}

/** The bytes of a tag. */
export function tagBytes(tag: string): Uint8Array {
  return getHexBytes(tag);
}
