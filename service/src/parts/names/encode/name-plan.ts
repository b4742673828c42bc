import type { NameWarning } from '@coinfront/api/name-encode.ts';
import { buildCarrier } from '@coinfront/protocol/carrier.ts';
import {
  encodeNameOperation,
  listLaterKinds,
  type NameOperation,
} from '@coinfront/protocol/names/name-operation.ts';
import type { NameReason } from '@coinfront/protocol/names/name-reasons.ts';
import { applyNameOperation, type NameState } from '@coinfront/protocol/names/name-rules.ts';
import type { ParsedName } from '@coinfront/protocol/names/name-syntax.ts';
import { OP_RETURN } from '@coinfront/protocol/opcodes.ts';
import type { NameRules } from '@coinfront/protocol/profile.ts';
import type { TxOutput } from '@coinfront/protocol/transaction.ts';
import type { NameRouteContext } from '../name-context.ts';

/** An output that an operation needs. */
export type PlannedOutput = TxOutput & { purpose: 'carrier' | 'fee' | 'recipient' };

/** An operation as it should be sent: what it carries and pays, when it can be mined, and what to know about it. */
export type NamePlan = {
  operation: NameOperation;
  name: ParsedName | undefined;
  commitment: Uint8Array | undefined;
  /** Who has to send it, or who said to; undefined when nobody did. */
  sender: Uint8Array | undefined;
  payload: Uint8Array;
  /** In order: the carrier first. */
  outputs: PlannedOutput[];
  cost: { perPeriod: bigint; periods: number; premium: bigint; total: bigint } | undefined;
  /** Heights of the first and the last block that can have it, both valid; undefined where nothing says so. */
  earliest: number | undefined;
  latest: number | undefined;
  warnings: NameWarning[];
};

/** What of a plan its outputs are made of. */
export type PlanParts = Omit<NamePlan, 'payload' | 'outputs'> & { recipient?: TxOutput };

/** Adds payload and outputs. A price below the dust limit is paid with the dust limit, for less is not relayed. */
export function completePlan(
  { recipient, ...parts }: PlanParts,
  rules: NameRules,
  dustLimit: bigint,
): NamePlan {
  const payload = encodeNameOperation(parts.operation, rules.marker);
  const outputs: PlannedOutput[] = [{ purpose: 'carrier', value: 0n, script: buildCarrier(payload) }];
  if (recipient) outputs.push({ purpose: 'recipient', ...recipient });
  const due = parts.cost?.total ?? 0n;
  if (due > 0n) {
    outputs.push({ purpose: 'fee', value: due < dustLimit ? dustLimit : due, script: rules.feeScript });
  }
  return { ...parts, payload, outputs };
}

/** A script that owns nothing, for operations of which it does not matter who sends them. */
const NOBODY = Uint8Array.of(OP_RETURN);

/**
 * What the rules say of a plan in the block of a height, on a state; undefined where it hangs on a sender that is not
 * known. Below the activation nothing is valid, and there is no reason to name.
 */
export function judgePlan(
  plan: NamePlan,
  height: number,
  state: NameState,
  context: Pick<NameRouteContext, 'rules' | 'genesisPrefix'>,
): { valid: boolean; reason: NameReason | undefined } | undefined {
  const { operation, sender, name, commitment, outputs } = plan;
  if (height < context.rules.activationHeight) return { valid: false, reason: undefined };
  // What a block does not have yet, it takes for an opcode that there is none of.
  const isLater = operation.kind === 'reverse' || operation.kind === 'records';
  if (isLater && !listLaterKinds(context.rules, height).includes(operation.kind))
    return { valid: false, reason: 'unknown_opcode' };
  const hangsOnSender = operation.kind !== 'commit' && operation.kind !== 'renew';
  if (hangsOnSender && sender === undefined) return undefined;
  const tx = { version: 2, inputs: [], outputs, locktime: 0, hasWitness: false, mweb: undefined };
  const placed = { tx, txid: new Uint8Array(32), height, position: 1, prevoutScript: sender };
  const prepared = { placed, operation, sender: sender ?? NOBODY, name, commitment };
  const outcome = applyNameOperation(prepared, state, context);
  return outcome.ok ? { valid: true, reason: undefined } : { valid: false, reason: outcome.reason };
}
