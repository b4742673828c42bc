import { equalBytes } from './bytes.ts';
import { findPayload } from './carrier.ts';
import { OP_RETURN } from './opcodes.ts';
import { PAYLOAD_FAULTS } from './payload-reader.ts';
import { findSender, SENDER_FAULTS } from './sender.ts';
import { isCoinbase, type Transaction, type TxOutput } from './transaction.ts';

/** A transaction in its place: what the rules of names and tokens judge. */
export type PlacedTransaction = {
  readonly tx: Transaction;
  /** Internal byte order. */
  readonly txid: Uint8Array;
  readonly height: number;
  /** Index within its block. */
  readonly position: number;
  /** The scriptPubKey that input 0 spends; undefined for a coinbase. */
  readonly prevoutScript: Uint8Array | undefined;
};

/** Why a transaction that carries a marker has no operation that could be judged on the state. */
export const OPERATION_FAULTS = {
  coinbase: 'A coinbase transaction has no sender.',
  several_payloads: 'More than one output of the transaction carries a payload of this protocol.',
  ...PAYLOAD_FAULTS,
  ...SENDER_FAULTS,
} as const;

/** The codes of {@link OPERATION_FAULTS}. */
export type OperationFault = keyof typeof OPERATION_FAULTS;

/** An operation that was read, with who sent it; or nothing, or the reason why it is invalid. */
export type ReadOperation<Operation, Reason extends string> =
  | { kind: 'none' }
  | { kind: 'invalid'; reason: Reason | OperationFault }
  | { kind: 'operation'; operation: Operation; sender: Uint8Array; payload: Uint8Array; vout: number };

/** What a decoder answers: the operation, or a code. */
export type Decoded<Operation, Fault extends string> =
  | { ok: true; operation: Operation }
  | { ok: false; reason: Fault };

/**
 * What a transaction carries for names or tokens: common rules 1 to 4 (docs/protocols/carrier.md, sender.md), in the
 * order of {@link OPERATION_FAULTS}. Below the activation height no transaction carries anything.
 */
export function readOperation<Operation, Fault extends string>(
  { tx, height, prevoutScript }: PlacedTransaction,
  { marker, activationHeight }: { marker: Uint8Array; activationHeight: number },
  decode: (payload: Uint8Array) => Decoded<Operation, Fault>,
): ReadOperation<Operation, Fault> {
  const found = findPayload(tx.outputs, marker);
  if (found.kind === 'none' || height < activationHeight) return { kind: 'none' };
  if (isCoinbase(tx) || prevoutScript === undefined) return { kind: 'invalid', reason: 'coinbase' };
  if (found.kind === 'several') return { kind: 'invalid', reason: 'several_payloads' };
  const decoded = decode(found.payload);
  if (!decoded.ok) return { kind: 'invalid', reason: decoded.reason };
  const sender = findSender(tx, prevoutScript);
  if (!sender.ok) return { kind: 'invalid', reason: sender.reason };
  const { payload, vout } = found;
  return { kind: 'operation', operation: decoded.operation, sender: sender.script, payload, vout };
}

/** The sum of the outputs that pay exactly this script, in base units. */
export function sumPaidTo(outputs: readonly TxOutput[], script: Uint8Array): bigint {
  let sum = 0n;
  for (const output of outputs) if (equalBytes(output.script, script)) sum += output.value;
  return sum;
}

/** Why an output cannot receive a name or tokens. */
export const RECIPIENT_FAULTS = {
  output_missing: 'The operation names an output that the transaction does not have.',
  output_is_carrier: 'The operation names an output that begins with OP_RETURN, which nobody can own.',
} as const;

/** The codes of {@link RECIPIENT_FAULTS}. */
export type RecipientFault = keyof typeof RECIPIENT_FAULTS;

/** The scriptPubKey of the output that an operation names as recipient. */
export function findRecipient(
  outputs: readonly TxOutput[],
  vout: number,
): { ok: true; script: Uint8Array } | { ok: false; reason: RecipientFault } {
  const script = outputs[vout]?.script;
  if (script === undefined) return { ok: false, reason: 'output_missing' };
  if (script[0] === OP_RETURN) return { ok: false, reason: 'output_is_carrier' };
  return { ok: true, script };
}
