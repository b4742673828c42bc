/** Extended public keys (BIP-32; versions of SLIP-132). */

import type { DerivedScriptType } from '@coinfront/api/merchants.ts';
import { sha256 } from '@coinfront/protocol/hash.ts';
import type { CoinProfile } from '@coinfront/protocol/profile.ts';
import { createBase58check } from '@scure/base';
import { HDKey } from '@scure/bip32';

/** An account key whose addresses can be derived. */
export type AccountKey = { node: HDKey; scriptType: DerivedScriptType };

const base58check = createBase58check(sha256);
const EXTENDED_KEY_BYTES = 78;
/** One byte of a key says how deep it is. */
const MAX_DEPTH = 255;
/** BIP-44: chain and index. */
const STEPS_OF_ACCOUNT = 2;
/** A private key has a zero byte where a public one has 2 or 3. */
const KEY_OFFSET = 45;

/** SLIP-132: versions that say what kind of address a key is for; of main networks, and of test networks. */
const namedVersions: readonly { version: number; isMain: boolean; scriptType: DerivedScriptType }[] = [
  { version: 0x049d7cb2, isMain: true, scriptType: 'p2sh-p2wpkh' },
  { version: 0x04b24746, isMain: true, scriptType: 'p2wpkh' },
  { version: 0x044a5262, isMain: false, scriptType: 'p2sh-p2wpkh' },
  { version: 0x045f1cf6, isMain: false, scriptType: 'p2wpkh' },
];

/** What an extended key can be read as; a private one is told apart, because it has to be refused aloud. */
export type KeyProblem = { kind: 'private' } | { kind: 'invalid'; reason: string };

/**
 * Reads an untrusted extended public key. The reason never repeats it.
 *
 * @param steps from the key to its addresses
 */
export function parseAccountKey(
  text: string,
  wanted: DerivedScriptType | undefined,
  profile: CoinProfile,
  steps = STEPS_OF_ACCOUNT,
): { ok: true; value: AccountKey } | { ok: false; problem: KeyProblem } {
  const payload = decodeKey(text);
  if (payload === undefined) return invalid('it is not base58check of 78 bytes');
  if (payload[KEY_OFFSET] === 0) return { ok: false, problem: { kind: 'private' } };
  const version = new DataView(payload.buffer, payload.byteOffset).getUint32(0);
  const named = namedVersions.find((each) => each.version === version);
  const isMain = profile.chain === 'main';
  if (version !== profile.extendedPublicVersion && named?.isMain !== isMain)
    return invalid(`its version ${version.toString(16).padStart(8, '0')} is of another network or kind`);
  const hasSegwit = profile.address.bech32Hrp !== undefined;
  const scriptType = wanted ?? named?.scriptType ?? (hasSegwit ? 'p2wpkh' : 'p2pkh');
  if (!hasSegwit && scriptType !== 'p2pkh')
    return invalid(`${profile.name} has no segwit, so no ${scriptType} addresses`);
  try {
    // The private version is never used: this key has none.
    const node = HDKey.fromExtendedKey(text, { public: version, private: 0 });
    if (node.depth + steps > MAX_DEPTH) return invalid('so deep a key has no addresses below it');
    return { ok: true, value: { node, scriptType } };
  } catch {
    return invalid('it holds no point of the curve, or a depth and parent that contradict one another');
  }
}

function invalid(reason: string): { ok: false; problem: KeyProblem } {
  return { ok: false, problem: { kind: 'invalid', reason } };
}

function decodeKey(text: string): Uint8Array | undefined {
  try {
    const payload = base58check.decode(text);
    return payload.length === EXTENDED_KEY_BYTES ? payload : undefined;
  } catch {
    return undefined;
  }
}
