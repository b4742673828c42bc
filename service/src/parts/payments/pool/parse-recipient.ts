/** Addresses that merchants give: of this network, and of a kind that can be paid to and spent from. */

import { decodeAddress } from '@coinfront/protocol/address.ts';
import { bytesToHex } from '@coinfront/protocol/bytes.ts';
import { sha256 } from '@coinfront/protocol/hash.ts';
import type { CoinProfile } from '@coinfront/protocol/profile.ts';
import { fail, ok, type Result } from '@coinfront/protocol/result.ts';
import { type ScriptKind, scriptTypeName } from '@coinfront/protocol/script.ts';

/** A script that can be paid; `scriptHash` is its SHA-256 in hex, the name that the tables know it by. */
export type PayableAddress = { address: string; script: Uint8Array; scriptHash: string };

const payableKinds: readonly ScriptKind[] = ['p2pkh', 'p2sh', 'p2wpkh', 'p2wsh', 'p2tr'];

/** Reads an untrusted address; the reason never repeats it. */
export function parsePayableAddress(text: string, profile: CoinProfile): Result<PayableAddress> {
  const decoded = decodeAddress(text, profile);
  if (!decoded.ok) return decoded;
  const { script, kind } = decoded.value;
  if (!payableKinds.includes(kind)) {
    return fail(`address is of a kind that is not safe to pay to (${scriptTypeName(kind)})`);
  }
  const { bech32Hrp } = profile.address;
  const isSegwit = bech32Hrp !== undefined && text.toLowerCase().startsWith(`${bech32Hrp}1`);
  return ok({ address: isSegwit ? text.toLowerCase() : text, script, scriptHash: hashScript(script) });
}

/** SHA-256 of a script in hex. */
export function hashScript(script: Uint8Array): string {
  return bytesToHex(sha256(script));
}
