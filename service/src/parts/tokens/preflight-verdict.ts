import type { CheckJson, PreflightCheck } from '@coinfront/api/token-checks.ts';
import { PAYLOAD_FAULTS } from '@coinfront/protocol/payload-reader.ts';
import { SENDER_FAULTS } from '@coinfront/protocol/sender.ts';
import { TOKEN_PAYLOAD_FAULTS } from '@coinfront/protocol/tokens/token-operation.ts';
import { TOKEN_REASONS, type TokenReason } from '@coinfront/protocol/tokens/token-reasons.ts';

/** Reasons of the preflight beside those of the rules. */
export const PREFLIGHT_REASONS = {
  undecodable: 'The bytes are no serialised transaction.',
  no_payload: 'No output of the transaction carries a payload of tokens.',
  not_active: 'Tokens are not active in the next block: no transaction carries an operation yet.',
  prevout_missing: 'The output that input 0 spends is neither in the chain nor in the mempool.',
  confirmed: 'The transaction is confirmed already: the events of its token say what it did.',
  pending_too_many: 'The sender has more unconfirmed transactions than are looked at.',
  node_unavailable: 'The node cannot be asked at the moment.',
} as const;
type PreflightReason = keyof typeof PREFLIGHT_REASONS;

const payloadReasons = new Set<string>([
  'several_payloads',
  ...Object.keys(PAYLOAD_FAULTS),
  ...Object.keys(TOKEN_PAYLOAD_FAULTS),
]);
const senderReasons = new Set<string>(['coinbase', ...Object.keys(SENDER_FAULTS)]);

/** The check that a reason of the rules belongs to. */
export function checkOfReason(reason: TokenReason): PreflightCheck {
  if (payloadReasons.has(reason)) return 'payload';
  if (senderReasons.has(reason)) return 'sender';
  return reason === 'fee_too_low' ? 'create_fee' : 'operation';
}

/** A check that passed. */
export function passed(name: PreflightCheck, detail: string): CheckJson {
  return { name, result: 'passed', reason: null, detail };
}

/** A check that failed, or that was left out for a reason. */
export function notPassed(
  name: PreflightCheck,
  result: 'failed' | 'skipped',
  reason: TokenReason | PreflightReason,
): CheckJson {
  const detail =
    reason in PREFLIGHT_REASONS
      ? PREFLIGHT_REASONS[reason as PreflightReason]
      : TOKEN_REASONS[reason as TokenReason];
  return { name, result, reason, detail };
}

/** A check that was left out because of an earlier one, or because there is nothing to check. */
export function skipped(name: PreflightCheck, detail: string): CheckJson {
  return { name, result: 'skipped', reason: null, detail };
}
