import { demand } from './carrier.ts';
import type { Input } from './transaction.ts';

type KeyForms = 'compressed' | 'any';

/** Input 0 names the script that it spends as sender, or the operation is invalid. */
export function checkSender(input: Input, spent: Uint8Array): void {
  const { scriptSig, witness } = input;
  if (isForm(spent, [0x76, 0xa9, 0x14], 20, [0x88, 0xac])) {
    const pushes = readPushes(scriptSig);
    demand(pushes?.length === 2 && witness.length === 0, 'sender_malformed');
    checkKey(pushes[1]!, 'any');
    checkEcdsa(pushes[0]!);
  } else if (isForm(spent, [0xa9, 0x14], 20, [0x87])) checkScriptHash(input);
  else {
    demand(isProgram(spent), 'sender_unsupported');
    demand(scriptSig.length === 0, 'sender_malformed');
    checkProgram(spent, witness);
  }
}

/** A pay to script hash: a program within it, or a multisig script. */
function checkScriptHash({ scriptSig, witness }: Input): void {
  const pushes = readPushes(scriptSig);
  const inner = pushes?.at(-1);
  demand(pushes !== undefined && inner !== undefined, 'sender_malformed');
  if (isKeyHash(inner) || isWitnessHash(inner)) {
    demand(pushes.length === 1, 'sender_malformed');
    checkProgram(inner, witness);
    return;
  }
  checkMultisig(pushes, 'any');
  demand(witness.length === 0, 'sender_malformed');
}

const isKeyHash = (script: Uint8Array): boolean => isForm(script, [0x00, 0x14], 20);
const isWitnessHash = (script: Uint8Array): boolean => isForm(script, [0x00, 0x20], 32);
const isTaproot = (script: Uint8Array): boolean => isForm(script, [0x51, 0x20], 32);

function isProgram(script: Uint8Array): boolean {
  return isKeyHash(script) || isWitnessHash(script) || isTaproot(script);
}

function checkProgram(program: Uint8Array, witness: readonly Uint8Array[]): void {
  if (isKeyHash(program)) {
    demand(witness.length === 2, 'sender_malformed');
    checkKey(witness[1]!, 'compressed');
    checkEcdsa(witness[0]!);
  } else if (isWitnessHash(program)) {
    demand(witness.length > 0, 'sender_malformed');
    checkMultisig(witness, 'compressed');
  } else {
    demand(witness.length === 1, 'sender_malformed');
    checkSchnorr(witness[0]!);
  }
}

/** An empty item, as many signatures as the script asks for, and the script. */
function checkMultisig(items: readonly Uint8Array[], forms: KeyForms): void {
  const multisig = readMultisig(items.at(-1)!);
  demand(multisig !== undefined, 'sender_unsupported');
  demand(items.length === multisig.m + 2 && items[0]!.length === 0, 'sender_malformed');
  for (const key of multisig.keys) checkKey(key, forms);
  for (const signature of items.slice(1, -1)) checkEcdsa(signature);
}

function readMultisig(script: Uint8Array): { m: number; keys: Uint8Array[] } | undefined {
  if (script.at(-1) !== 0xae) return undefined;
  const pushes = readPushes(script.subarray(0, -1));
  if (pushes === undefined || pushes.length < 3) return undefined;
  const [m, n] = [readCount(pushes[0]!), readCount(pushes.at(-1)!)];
  const keys = pushes.slice(1, -1);
  return m >= 1 && m <= n && n <= 20 && keys.length === n ? { m, keys } : undefined;
}

function readCount(push: Uint8Array): number {
  return push.length === 1 ? push[0]! : 0;
}

function checkKey(key: Uint8Array, forms: KeyForms): void {
  const isCompressed = key.length === 33 && (key[0] === 2 || key[0] === 3);
  const isUncompressed = forms === 'any' && key.length === 65 && key[0] === 4;
  demand(isCompressed || isUncompressed, 'sender_key_form');
}

function checkEcdsa(signature: Uint8Array): void {
  demand(isStrictDer(signature), 'sender_signature_form');
  demand(signature.at(-1) === 1, 'sender_sighash');
}

function checkSchnorr(signature: Uint8Array): void {
  demand(signature.length === 64 || signature.length === 65, 'sender_signature_form');
  demand(signature.length === 64 || signature[64] === 1, 'sender_sighash');
}

/** BIP-66: `30 length 02 length R 02 length S sighash`, both numbers positive and in their shortest form. */
function isStrictDer(signature: Uint8Array): boolean {
  const { length } = signature;
  if (length < 9 || length > 73 || signature[0] !== 0x30 || signature[1] !== length - 3) return false;
  const lengthOfR = signature[3]!;
  if (lengthOfR + 5 >= length) return false;
  const lengthOfS = signature[lengthOfR + 5]!;
  if (lengthOfR + lengthOfS + 7 !== length) return false;
  const isNumber = (at: number, size: number): boolean => {
    if (signature[at - 2] !== 2 || size === 0 || (signature[at]! & 0x80) !== 0) return false;
    return size === 1 || signature[at] !== 0 || (signature[at + 1]! & 0x80) !== 0;
  };
  return isNumber(4, lengthOfR) && isNumber(lengthOfR + 6, lengthOfS);
}

/** What a script of nothing but minimal pushes (BIP-62 rule 3) pushes; undefined for other scripts. */
function readPushes(script: Uint8Array): Uint8Array[] | undefined {
  const pushes: Uint8Array[] = [];
  for (let at = 0; at < script.length; ) {
    const opcode = script[at++]!;
    if (opcode === 0x4f || (opcode >= 0x51 && opcode <= 0x60)) {
      pushes.push(Uint8Array.of(opcode === 0x4f ? 0x81 : opcode - 0x50));
      continue;
    }
    if (opcode > 0x4e) return undefined;
    const lengthBytes = opcode <= 75 ? 0 : 2 ** (opcode - 0x4c);
    let length = opcode;
    if (lengthBytes > 0) {
      if (at + lengthBytes > script.length) return undefined;
      length = script.subarray(at, at + lengthBytes).reduceRight((sum, byte) => sum * 256 + byte, 0);
    }
    at += lengthBytes;
    const data = script.subarray(at, at + length);
    at += length;
    if (data.length !== length || !isMinimal(opcode, data)) return undefined;
    pushes.push(data);
  }
  return pushes;
}

function isMinimal(opcode: number, data: Uint8Array): boolean {
  const { length } = data;
  if (length === 1 && ((data[0]! >= 1 && data[0]! <= 16) || data[0] === 0x81)) return false;
  if (length <= 75) return opcode === length;
  return opcode === (length <= 0xff ? 0x4c : length <= 0xffff ? 0x4d : 0x4e);
}

/** Whether a script is these bytes, `length` bytes of whatever, and those bytes. */
function isForm(
  script: Uint8Array,
  before: readonly number[],
  length: number,
  after: readonly number[] = [],
): boolean {
  return (
    script.length === before.length + length + after.length &&
    before.every((byte, i) => script[i] === byte) &&
    after.every((byte, i) => script[before.length + length + i] === byte)
  );
}
