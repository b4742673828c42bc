/** Whose contribution a transaction is: pure rules, the same for the ledger and for who asks (docs/treasury.md). */

import type { UnattributedReason } from '@coinfront/api/treasury.ts';
import type { FoundTag } from '@coinfront/protocol/treasury/contribution-tag.ts';

/** What is known of an intent when it is matched. */
export type IntentTerms = {
  id: string;
  contributorId: string;
  /** Undefined: only the carrier counts. */
  exactAmount: bigint | undefined;
  createdAtMs: number;
  /** Version of the ledger when it was made. */
  createdVersion: number;
  expiresAtMs: number;
  closesAtMs: number;
};

/**
 * When a transaction was seen first; `version` is that of the ledger in which a block told of it, undefined when the
 * mempool did.
 */
export type FirstSeen = { atMs: number; version: number | undefined };

/** A transaction that pays the treasury. */
export type Incoming = {
  txid: string;
  tag: FoundTag;
  /** Its outputs to the treasury's address, in order. */
  outputs: readonly { vout: number; value: bigint }[];
  /** Its outputs to other addresses of the treasury's wallet. */
  otherOutputs?: readonly { vout: number; value: bigint }[];
  isCoinbase: boolean;
  /** Whether an input spends a coin of the treasury. */
  spendsTreasury: boolean;
  firstSeen: FirstSeen;
};

/** The intents that a transaction could be for. */
export type KnownIntents = {
  findByTag(tag: string): IntentTerms | undefined;
  /** Those that ever had this exact amount, oldest first. */
  listByAmount(amount: bigint): readonly IntentTerms[];
};

/** What one output is. */
export type Attribution = { vout: number; value: bigint } & (
  | { kind: 'coinbase' | 'change' }
  | { kind: 'contribution'; intent: IntentTerms; late: boolean; by: 'carrier' | 'exact_amount' }
  | { kind: 'unattributed'; reason: UnattributedReason }
);

/** Clocks of the processes that see transactions and make intents may differ by so much. */
export const CLOCK_TOLERANCE_MS = 5_000;

type Refusal = Extract<UnattributedReason, 'seen_before_intent' | 'intent_closed'>;

/**
 * Says of each output what it is. In this order: what a coinbase pays is mined; what a transaction pays that spends
 * coins of the treasury is change; a carrier that names an intent decides alone, for all outputs together; without one each
 * output is looked at by its amount. An intent takes all that is meant for it, so nobody can spoil it by being faster. What comes to
 * another address of the treasury's wallet than its own is nobody's contribution.
 */
export function attribute(
  tx: Incoming,
  intents: KnownIntents,
  { minimum }: { minimum: bigint },
): Attribution[] {
  const { tag, outputs, otherOutputs = [] } = tx;
  const all = inOrder([...outputs, ...otherOutputs]);
  if (tx.isCoinbase) return all.map((output) => ({ ...output, kind: 'coinbase' }));
  if (tx.spendsTreasury) return all.map((output) => ({ ...output, kind: 'change' }));
  const named = tag.kind === 'one' ? intents.findByTag(tag.tag) : undefined;
  const attributed: Attribution[] =
    named === undefined
      ? outputs.map((output) => ({ ...output, ...attributeByAmount(tx, output.value, intents) }))
      : attributeByCarrier(tx, named, minimum);
  const elsewhere = otherOutputs.map(
    (output): Attribution => ({ ...output, kind: 'unattributed', reason: 'other_address' }),
  );
  return inOrder([...attributed, ...elsewhere]);
}

function inOrder<T extends { vout: number }>(outputs: readonly T[]): T[] {
  return outputs.toSorted((a, b) => a.vout - b.vout);
}

function attributeByCarrier(tx: Incoming, intent: IntentTerms, minimum: bigint): Attribution[] {
  const sum = tx.outputs.reduce((total, { value }) => total + value, 0n);
  const reason = findRefusal(tx.firstSeen, intent) ?? (sum < minimum ? 'below_minimum' : undefined);
  return tx.outputs.map((output) =>
    reason === undefined
      ? { ...output, kind: 'contribution', intent, late: isLate(tx.firstSeen, intent), by: 'carrier' }
      : { ...output, kind: 'unattributed', reason },
  );
}

type Judged =
  | { kind: 'contribution'; intent: IntentTerms; late: boolean; by: 'exact_amount' }
  | { kind: 'unattributed'; reason: UnattributedReason };

function attributeByAmount(tx: Incoming, value: bigint, intents: KnownIntents): Judged {
  let reason: UnattributedReason =
    tx.tag.kind === 'one' ? 'tag_unknown' : tx.tag.kind === 'none' ? 'no_intent' : 'tag_malformed';
  for (const intent of intents.listByAmount(value)) {
    const refusal = findRefusal(tx.firstSeen, intent);
    if (refusal === undefined) {
      return { kind: 'contribution', intent, late: isLate(tx.firstSeen, intent), by: 'exact_amount' };
    }
    reason = refusal;
  }
  return { kind: 'unattributed', reason };
}

/** Why an intent does not take a transaction: it came before the intent, or after it was closed. */
export function findRefusal({ atMs, version }: FirstSeen, intent: IntentTerms): Refusal | undefined {
  // A block's time is what its miner wrote, and its height may have been another block's when the intent was made: what
  // came first is told by the order in which both were recorded.
  const isEarlier =
    version === undefined ? atMs < intent.createdAtMs - CLOCK_TOLERANCE_MS : version <= intent.createdVersion;
  if (isEarlier) return 'seen_before_intent';
  return atMs > intent.closesAtMs ? 'intent_closed' : undefined;
}

function isLate({ atMs }: FirstSeen, { expiresAtMs }: IntentTerms): boolean {
  return atMs > expiresAtMs;
}
