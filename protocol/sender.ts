import { isDerSignature } from './der-signature.ts';
import { classifyScript, findMultisig, type ScriptInfo } from './script.ts';
import { minimalPushPayload, readScriptOp } from './script-ops.ts';
import type { Transaction, TxInput } from './transaction.ts';

/** Why input 0 of a transaction names no sender, in the order in which it is judged. */
export const SENDER_FAULTS = {
  sender_unsupported:
    'Input 0 spends no P2PKH, P2WPKH, P2SH-P2WPKH, P2TR or m-of-n CHECKMULTISIG output (in P2SH, P2WSH or P2SH-P2WSH).',
  sender_malformed: 'The scriptSig or witness of input 0 is not the exact form that its output asks for.',
  sender_key_form:
    'A public key of input 0 is neither compressed nor, outside of segwit, uncompressed: hybrid keys do not count.',
  sender_signature_form:
    'A signature of input 0 is neither strict DER with a sighash byte nor a Schnorr signature.',
  sender_sighash: 'A signature of input 0 is not SIGHASH_ALL, so it could be moved to another payload.',
} as const;

/** The codes of {@link SENDER_FAULTS}. */
export type SenderFault = keyof typeof SENDER_FAULTS;

/** The sender: the exact scriptPubKey that input 0 spends. */
export type Sender = { ok: true; script: Uint8Array } | { ok: false; reason: SenderFault };

const SIGHASH_ALL = 0x01;
const SCHNORR_BYTES = 64;

type KeyForms = 'compressed' | 'any_plain';

/**
 * The sender of a transaction (docs/protocols/sender.md). It judges form and sighash of what spends input 0; that
 * keys fit their hashes and that signatures verify, the chain has checked.
 *
 * @param prevoutScript - the scriptPubKey of the output that input 0 spends
 */
export function findSender(tx: Transaction, prevoutScript: Uint8Array): Sender {
  const input = tx.inputs[0];
  const reason = input ? findFault(input, classifyScript(prevoutScript)) : 'sender_unsupported';
  return reason === undefined ? { ok: true, script: prevoutScript } : { ok: false, reason };
}

function findFault(input: TxInput, spent: ScriptInfo): SenderFault | undefined {
  const { scriptSig, witness } = input;
  switch (spent.kind) {
    case 'p2pkh':
      return witness.length > 0 ? 'sender_malformed' : judgeKeyHash(readPushes(scriptSig), 'any_plain');
    case 'p2wpkh':
      return scriptSig.length > 0 ? 'sender_malformed' : judgeKeyHash(witness, 'compressed');
    case 'p2wsh':
      return scriptSig.length > 0 ? 'sender_malformed' : judgeMultisig(witness, 'compressed');
    case 'p2tr':
      return scriptSig.length > 0 ? 'sender_malformed' : judgeKeyPath(witness);
    case 'p2sh':
      return judgeScriptHash(input);
    default:
      return 'sender_unsupported';
  }
}

function judgeScriptHash({ scriptSig, witness }: TxInput): SenderFault | undefined {
  const pushes = readPushes(scriptSig);
  const redeemScript = pushes?.at(-1);
  if (pushes === undefined || redeemScript === undefined) return 'sender_malformed';
  if (findMultisig(redeemScript)) {
    return witness.length > 0 ? 'sender_malformed' : judgeMultisig(pushes, 'any_plain');
  }
  const { kind } = classifyScript(redeemScript);
  if (kind !== 'p2wpkh' && kind !== 'p2wsh') return 'sender_unsupported';
  if (pushes.length !== 1) return 'sender_malformed';
  return kind === 'p2wpkh' ? judgeKeyHash(witness, 'compressed') : judgeMultisig(witness, 'compressed');
}

/** Exactly signature and public key. */
function judgeKeyHash(stack: Uint8Array[] | undefined, forms: KeyForms): SenderFault | undefined {
  if (stack?.length !== 2) return 'sender_malformed';
  return isKeyForm(stack[1]!, forms) ? judgeSignature(stack[0]!) : 'sender_key_form';
}

/** Exactly the empty dummy, as many signatures as the script requires, and the script. */
function judgeMultisig(stack: Uint8Array[], forms: KeyForms): SenderFault | undefined {
  const script = stack.at(-1);
  if (script === undefined) return 'sender_malformed';
  // Keys of no known form, too: the table judges them after the items.
  const info = findMultisig(script);
  if (info === undefined) return 'sender_unsupported';
  if (stack.length !== info.required + 2 || stack[0]!.length > 0) return 'sender_malformed';
  if (!info.publicKeys.every((key) => isKeyForm(key, forms))) return 'sender_key_form';
  for (const signature of stack.slice(1, -1)) {
    const fault = judgeSignature(signature);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function judgeSignature(signature: Uint8Array): SenderFault | undefined {
  if (!isDerSignature(signature)) return 'sender_signature_form';
  return signature.at(-1) === SIGHASH_ALL ? undefined : 'sender_sighash';
}

/** Exactly one Schnorr signature: two items are an annex or a script path. */
function judgeKeyPath(witness: Uint8Array[]): SenderFault | undefined {
  const [signature] = witness;
  if (signature === undefined || witness.length !== 1) return 'sender_malformed';
  if (signature.length === SCHNORR_BYTES) return undefined;
  if (signature.length !== SCHNORR_BYTES + 1) return 'sender_signature_form';
  return signature[SCHNORR_BYTES] === SIGHASH_ALL ? undefined : 'sender_sighash';
}

function isKeyForm(key: Uint8Array, forms: KeyForms): boolean {
  if (key[0] === 2 || key[0] === 3) return key.length === 33;
  return forms === 'any_plain' && key[0] === 4 && key.length === 65;
}

/** What a scriptSig of nothing but minimal pushes leaves on the stack, the first push first; undefined for others. */
function readPushes(script: Uint8Array): Uint8Array[] | undefined {
  const pushes: Uint8Array[] = [];
  for (let at = 0; at < script.length; ) {
    const op = readScriptOp(script, at);
    const payload = op && minimalPushPayload(op);
    if (op === undefined || payload === undefined) return undefined;
    pushes.push(payload);
    at = op.next;
  }
  return pushes;
}
