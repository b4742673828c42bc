import { bytesToHex } from './bytes.ts';
import { findSighashName } from './der-signature.ts';
import {
  OP_0,
  OP_1,
  OP_16,
  OP_CHECKMULTISIG,
  OP_CHECKSIG,
  OP_DUP,
  OP_EQUAL,
  OP_EQUALVERIFY,
  OP_HASH160,
  OP_RETURN,
  opcodeName,
} from './opcodes.ts';
import { isPushOnly, minimalPushPayload, readScriptOp } from './script-ops.ts';

/** What a scriptPubKey is, with the parts that tell one from another. Byte arrays are views on the script. */
export type ScriptInfo =
  | { kind: 'p2pk'; publicKey: Uint8Array }
  | { kind: 'p2pkh' | 'p2sh' | 'p2wpkh' | 'p2wsh'; hash: Uint8Array }
  | { kind: 'p2tr'; outputKey: Uint8Array }
  | { kind: 'p2a' }
  | { kind: 'witness_unknown'; version: number; program: Uint8Array }
  | MultisigInfo
  | { kind: 'nulldata' | 'empty' | 'nonstandard' };

/** A multisig script and its keys. */
export type MultisigInfo = { kind: 'multisig'; required: number; publicKeys: Uint8Array[] };

/** The kinds of {@link ScriptInfo}. */
export type ScriptKind = ScriptInfo['kind'];

/** Scripts longer than this are never run, so an output that has one can never be spent. */
const MAX_SCRIPT_BYTES = 10_000;
const MAX_MULTISIG_KEYS = 20;
/** Script bytes that are shown at most; what is left out is said in the text. */
const MAX_SHOWN_BYTES = 20_000;

/** Classifies a scriptPubKey by Core's rules of standard forms; it never fails. */
export function classifyScript(script: Uint8Array): ScriptInfo {
  const size = script.length;
  if (size === 0) return { kind: 'empty' };
  if (size === 23 && script[0] === OP_HASH160 && script[1] === 20 && script[22] === OP_EQUAL) {
    return { kind: 'p2sh', hash: script.subarray(2, 22) };
  }
  const witness = findWitnessProgram(script);
  if (witness) return classifyWitness(witness);
  if (script[0] === OP_RETURN && isPushOnly(script, 1)) return { kind: 'nulldata' };
  if (isPubKeyHash(script)) return { kind: 'p2pkh', hash: script.subarray(3, 23) };
  if ((size === 35 || size === 67) && script[0] === size - 2 && script[size - 1] === OP_CHECKSIG) {
    const publicKey = script.subarray(1, size - 1);
    if (isPublicKeyShape(publicKey)) return { kind: 'p2pk', publicKey };
  }
  return findMultisig(script, isPublicKeyShape) ?? { kind: 'nonstandard' };
}

function isPubKeyHash(script: Uint8Array): boolean {
  return (
    script.length === 25 &&
    script[0] === OP_DUP &&
    script[1] === OP_HASH160 &&
    script[2] === 20 &&
    script[23] === OP_EQUALVERIFY &&
    script[24] === OP_CHECKSIG
  );
}

/** The witness version (0-16) and program (2-40 bytes) of a BIP-141 script, else undefined. */
export function findWitnessProgram(script: Uint8Array): { version: number; program: Uint8Array } | undefined {
  const opcode = script[0];
  if (script.length < 4 || script.length > 42 || opcode === undefined) return undefined;
  if (opcode !== OP_0 && (opcode < OP_1 || opcode > OP_16)) return undefined;
  if (script[1] !== script.length - 2) return undefined;
  return { version: opcode === OP_0 ? 0 : opcode - OP_1 + 1, program: script.subarray(2) };
}

/** The script of a witness program; version 0-16. */
export function witnessScript(version: number, program: Uint8Array): Uint8Array {
  const script = new Uint8Array(2 + program.length);
  script[0] = version === 0 ? OP_0 : OP_1 + version - 1;
  script[1] = program.length;
  script.set(program, 2);
  return script;
}

function classifyWitness({ version, program }: { version: number; program: Uint8Array }): ScriptInfo {
  if (version === 0) {
    if (program.length === 20) return { kind: 'p2wpkh', hash: program };
    return program.length === 32 ? { kind: 'p2wsh', hash: program } : { kind: 'nonstandard' };
  }
  if (version === 1 && program.length === 32) return { kind: 'p2tr', outputKey: program };
  if (version === 1 && program.length === 2 && program[0] === 0x4e && program[1] === 0x73)
    return { kind: 'p2a' };
  return { kind: 'witness_unknown', version, program };
}

/** Bytes of public keys, compressed or not. */
const PUBLIC_KEY_BYTES = [33, 65];

/** Whether the bytes have the length that their first byte announces for a public key. */
function isPublicKeyShape(key: Uint8Array): boolean {
  const prefix = key[0];
  if (prefix === 2 || prefix === 3) return key.length === 33;
  return (prefix === 4 || prefix === 6 || prefix === 7) && key.length === 65;
}

/**
 * `m of n` CHECKMULTISIG, whatever the prefixes of its keys: which forms of keys count is for the caller to say. Core's standard
 * form, as {@link classifyScript} has it, knows only keys whose first byte fits their length.
 */
export function findMultisig(
  script: Uint8Array,
  isKey: (key: Uint8Array) => boolean = (key) => PUBLIC_KEY_BYTES.includes(key.length),
): MultisigInfo | undefined {
  if (script.at(-1) !== OP_CHECKMULTISIG) return undefined;
  const first = readCount(script, 0);
  if (first === undefined) return undefined;
  const publicKeys: Uint8Array[] = [];
  let at = first.next;
  while (publicKeys.length <= MAX_MULTISIG_KEYS) {
    const op = readScriptOp(script, at);
    if (op?.data === undefined || !isKey(op.data)) break;
    publicKeys.push(op.data);
    at = op.next;
  }
  const last = readCount(script, at);
  const isWhole = last !== undefined && last.next === script.length - 1 && last.value === publicKeys.length;
  if (!isWhole || first.value > last.value) return undefined;
  return { kind: 'multisig', required: first.value, publicKeys };
}

/** A number from 1 to 20 as a minimal push. */
function readCount(script: Uint8Array, offset: number): { value: number; next: number } | undefined {
  const op = readScriptOp(script, offset);
  const payload = op && minimalPushPayload(op);
  const value = payload?.length === 1 ? payload[0]! : 0;
  return op && value >= 1 && value <= MAX_MULTISIG_KEYS ? { value, next: op.next } : undefined;
}

const CORE_NAMES: Record<ScriptKind, string> = {
  p2pk: 'pubkey',
  p2pkh: 'pubkeyhash',
  p2sh: 'scripthash',
  p2wpkh: 'witness_v0_keyhash',
  p2wsh: 'witness_v0_scripthash',
  p2tr: 'witness_v1_taproot',
  p2a: 'anchor',
  witness_unknown: 'witness_unknown',
  multisig: 'multisig',
  nulldata: 'nulldata',
  empty: 'nonstandard',
  nonstandard: 'nonstandard',
};

/** The name that Bitcoin Core's JSON gives this kind of script. */
export function scriptTypeName(kind: ScriptKind): string {
  return CORE_NAMES[kind];
}

/** Whether no spend can ever succeed, so that nodes keep no such output: OP_RETURN first, or over 10,000 bytes. */
export function isUnspendable(script: Uint8Array): boolean {
  return script[0] === OP_RETURN || script.length > MAX_SCRIPT_BYTES;
}

/**
 * The script in words as Bitcoin Core prints it: opcode names, pushed bytes in hex, pushes of up to four bytes
 * as signed decimal numbers, `[error]` where a push runs over the end. Of a script over 20,000 bytes the
 * beginning is shown, ended by `[truncated]`. `showSighash`, for scriptSigs, puts what a signature commits to in
 * words after it: `3045...[ALL]`.
 */
export function disassembleScript(script: Uint8Array, { showSighash = false } = {}): string {
  const decodeSighash = showSighash && !isUnspendable(script);
  const words: string[] = [];
  let at = 0;
  while (at < script.length) {
    const op = readScriptOp(script, at);
    if (op === undefined) {
      words.push('[error]');
      break;
    }
    if (op.next > MAX_SHOWN_BYTES) {
      words.push('[truncated]');
      break;
    }
    words.push(op.data === undefined ? opcodeName(op.opcode) : pushText(op.data, decodeSighash));
    at = op.next;
  }
  return words.join(' ');
}

function pushText(data: Uint8Array, decodeSighash: boolean): string {
  if (data.length <= 4) return String(scriptNumber(data));
  const sighash = decodeSighash ? findSighashName(data) : undefined;
  return sighash === undefined ? bytesToHex(data) : `${bytesToHex(data.subarray(0, -1))}[${sighash}]`;
}

/** A script number: little endian, the top bit of the last byte is the sign. */
function scriptNumber(data: Uint8Array): number {
  const last = data.at(-1);
  if (last === undefined) return 0;
  let magnitude = last & 0x7f;
  for (let i = data.length - 2; i >= 0; i--) magnitude = magnitude * 256 + data[i]!;
  return (last & 0x80) !== 0 && magnitude !== 0 ? -magnitude : magnitude;
}
