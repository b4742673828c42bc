import { bech32, bech32m, createBase58check } from '@scure/base';
import { sha256 } from './hash.ts';
import { OP_CHECKSIG, OP_DUP, OP_EQUAL, OP_EQUALVERIFY, OP_HASH160 } from './opcodes.ts';
import type { AddressForms } from './profile.ts';
import { fail, ok, type Result } from './result.ts';
import { classifyScript, findWitnessProgram, type ScriptKind, witnessScript } from './script.ts';
import { decodeSegwitText, encodeSegwitAddress } from './segwit-address.ts';

/** Longest text that is looked at; a bech32 address has at most 90 characters. */
const MAX_ADDRESS_CHARS = 120;

const base58check = createBase58check(sha256);

/** What an address pays to. */
export type DecodedAddress = { script: Uint8Array; kind: ScriptKind };

/** The part of a coin profile that addresses depend on. */
export type AddressRules = { address: AddressForms };

/**
 * The address of a scriptPubKey, or undefined when its kind has none: P2PK, bare multisig, data carriers,
 * nonstandard scripts, and witness programs on a coin without bech32 prefix.
 */
export function encodeAddress(script: Uint8Array, { address }: AddressRules): string | undefined {
  const info = classifyScript(script);
  switch (info.kind) {
    case 'p2pkh':
      return base58check.encode(Uint8Array.of(address.p2pkhVersions[0]!, ...info.hash));
    case 'p2sh':
      return base58check.encode(Uint8Array.of(address.p2shVersions[0]!, ...info.hash));
    case 'p2wpkh':
    case 'p2wsh':
    case 'p2tr':
    case 'p2a':
    case 'witness_unknown':
      return encodeWitness(script, address);
    default:
      return undefined;
  }
}

function encodeWitness(script: Uint8Array, { bech32Hrp }: AddressForms): string | undefined {
  if (!bech32Hrp) return undefined;
  const { version, program } = findWitnessProgram(script)!;
  return encodeSegwitAddress(bech32Hrp, version, program);
}

/**
 * Reads an untrusted address of this coin: P2PKH and P2SH with every accepted version, segwit by BIP-173 and
 * BIP-350. A reason tells another network, a wrong checksum and a wrong length apart; it never repeats the
 * text, which might be a key.
 */
export function decodeAddress(text: string, { address }: AddressRules): Result<DecodedAddress> {
  if (text.length === 0) return fail('address is empty');
  if (text.length > MAX_ADDRESS_CHARS) return fail(`address is too long: ${text.length} characters`);
  const { bech32Hrp } = address;
  if (bech32Hrp && text.toLowerCase().startsWith(`${bech32Hrp}1`)) return decodeSegwit(text, bech32Hrp);
  return decodeBase58(text, address);
}

function decodeSegwit(text: string, hrp: string): Result<DecodedAddress> {
  const decoded = decodeSegwitText(text, hrp);
  if (!decoded) return fail('address has a wrong checksum or a mistyped character');
  const { form, version, program } = decoded;
  if (version === undefined || version > 16) return fail('address has no witness version from 0 to 16');
  const rightForm = version === 0 ? 'bech32' : 'bech32m';
  if (form !== rightForm) return fail(`address of witness version ${version} must use ${rightForm}`);
  if (!program) return fail('address has wrong padding');
  if (program.length < 2 || program.length > 40 || (version === 0 && ![20, 32].includes(program.length))) {
    return fail(`address has a witness program of ${program.length} bytes, wrong for version ${version}`);
  }
  const script = witnessScript(version, program);
  return ok({ script, kind: classifyScript(script).kind });
}

function decodeBase58(text: string, address: AddressForms): Result<DecodedAddress> {
  const payload = tryBase58check(text);
  if (!payload) return fail(explainUndecodable(text, address));
  if (payload.length !== 21)
    return fail(`address holds ${payload.length} bytes, an address of this form holds 21`);
  const version = payload[0]!;
  const hash = payload.subarray(1);
  if (address.p2pkhVersions.includes(version)) return ok({ script: pubKeyHashScript(hash), kind: 'p2pkh' });
  if (address.p2shVersions.includes(version)) return ok({ script: scriptHashScript(hash), kind: 'p2sh' });
  return fail(`address is of another network: version ${version}`);
}

function tryBase58check(text: string): Uint8Array | undefined {
  try {
    return base58check.decode(text);
  } catch {
    return undefined;
  }
}

function explainUndecodable(text: string, { bech32Hrp }: AddressForms): string {
  const foreign = bech32.decodeUnsafe(text) ?? bech32m.decodeUnsafe(text);
  if (!foreign) return 'address is not an address of this coin: wrong form, checksum or character';
  return `address is of another network: prefix "${foreign.prefix}", this coin has ${bech32Hrp ?? 'none'}`;
}

/** The P2PKH script of a 20-byte public key hash. */
export function pubKeyHashScript(hash: Uint8Array): Uint8Array {
  return Uint8Array.of(OP_DUP, OP_HASH160, 20, ...hash, OP_EQUALVERIFY, OP_CHECKSIG);
}

/** The P2SH script of a 20-byte script hash. */
export function scriptHashScript(hash: Uint8Array): Uint8Array {
  return Uint8Array.of(OP_HASH160, 20, ...hash, OP_EQUAL);
}
