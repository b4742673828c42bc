import type { PaymentJson, PaymentStatus } from '@coinfront/api/payments.ts';
import { formatAmount } from '@coinfront/protocol/amount.ts';
import type { SeenOutput } from '../truth/chain-truth.ts';
import type { PaymentPromise } from './record.ts';

/** What a payment is held against. */
export type PaymentTruth = {
  readonly promise: PaymentPromise;
  /** All outputs to its address, in blocks and in the mempool: nobody else was ever given this address. */
  readonly outputs: readonly SeenOutput[];
  readonly tipHeight: number;
  /** An event has said that it was paid. */
  readonly wasPaid: boolean;
  /** The service's clock has been past its expiry at some time. */
  readonly mayBeOver: boolean;
};

const DECIMALS = 8;

/**
 * What a payment that is shown has wrong, by the node's outputs to its address alone.
 *
 * Where the clock can have ended it, money may be late and only sums are judged, and that nothing is called paid without its money.
 */
export function judgePayment(shown: PaymentJson, truth: PaymentTruth): string[] {
  const { promise, outputs } = truth;
  const problems: string[] = [];
  const check = (what: string, found: unknown, wanted: unknown) => {
    if (String(found) !== String(wanted)) problems.push(`${promise.id}: ${what} is ${found}, not ${wanted}`);
  };
  check('address', shown.address, promise.address);
  check('amount', shown.amount, coins(promise.amount));
  check('confirmations_required', shown.confirmations_required, promise.confirmations);
  check('expires_at', shown.expires_at, new Date(promise.expiresAt).toISOString());
  const all = sum(outputs);
  check('seen and late together', coins(units(shown.received.seen) + units(shown.received.late)), coins(all));
  check('its outputs', listShown(shown), listSeen(outputs));
  const allowed = listStatuses(truth);
  if (!allowed.includes(shown.status))
    problems.push(
      `${promise.id}: status is ${shown.status}, not ${allowed.join(' or ')}: ${listSeen(outputs)}`,
    );
  return problems;
}

/** The statuses that it can have. */
function listStatuses(truth: PaymentTruth): PaymentStatus[] {
  const { promise, outputs, tipHeight, wasPaid, mayBeOver } = truth;
  if (promise.isCancelled) return ['cancelled'];
  const settled = sum(
    outputs.filter(({ height }) => height !== undefined && tipHeight - height + 1 >= promise.confirmations),
  );
  const ended: PaymentStatus[] = promise.mayBeCancelled ? ['cancelled'] : [];
  if (mayBeOver) {
    ended.push('expired');
    if (settled < promise.amount) ended.push('open', 'underpaid', 'detected', 'confirming', 'reorged');
  }
  if (settled > promise.amount) return ['overpaid', ...(mayBeOver ? (['paid'] as const) : []), ...ended];
  if (settled === promise.amount) return ['paid', ...ended];
  if (wasPaid) return ['reorged', ...ended];
  const confirmed = sum(outputs.filter(({ height }) => height !== undefined));
  const seen = sum(outputs);
  if (confirmed >= promise.amount) return ['confirming', ...ended];
  if (seen >= promise.amount) return ['detected', ...ended];
  return [seen > 0n ? 'underpaid' : 'open', ...ended];
}

function listShown({ transactions }: PaymentJson): string {
  return transactions
    .filter(({ state }) => state !== 'gone')
    .map(({ txid, vout, amount, height }) => `${txid}:${vout} ${amount} at ${height ?? 'mempool'}`)
    .sort()
    .join(', ');
}

function listSeen(outputs: readonly SeenOutput[]): string {
  return outputs
    .map(({ txid, vout, amount, height }) => `${txid}:${vout} ${coins(amount)} at ${height ?? 'mempool'}`)
    .sort()
    .join(', ');
}

const sum = (outputs: readonly { amount: bigint }[]) =>
  outputs.reduce((total, { amount }) => total + amount, 0n);
const coins = (amount: bigint) => formatAmount(amount, DECIMALS);
const units = (text: string) => BigInt(text.replace('.', ''));
