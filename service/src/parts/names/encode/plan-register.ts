import type { NameWarning } from '@coinfront/api/name-encode.ts';
import type { CommitRecord, NameRecord } from '@coinfront/protocol/names/name-rules.ts';
import type { ParsedName } from '@coinfront/protocol/names/name-syntax.ts';
import type { NameRules } from '@coinfront/protocol/profile.ts';
import { costAt, revealWindow } from '../describe-cost.ts';
import type { PlanParts } from './name-plan.ts';
import { isWeak } from './plan-commit.ts';

/** What a register is planned from. */
export type RegisterInput = {
  name: ParsedName;
  salt: Uint8Array;
  periods: number;
  /** The owner to be; undefined when the caller did not say. */
  sender: Uint8Array | undefined;
  /** Of sender, salt and name. */
  commitment: Uint8Array | undefined;
  record: NameRecord | undefined;
  commit: CommitRecord | undefined;
  isCommitPending: boolean;
  isRacePending: boolean;
  /** Of the next block. */
  height: number;
};

/** Plans a register for the first block that can have it. */
export function planRegister(input: RegisterInput, rules: NameRules): PlanParts {
  const { name, salt, periods, sender, commitment, record, commit } = input;
  const height = Math.max(input.height, rules.activationHeight);
  // Without a commitment on record: as if the next block had it.
  const window = revealWindow(record, commit?.height ?? height, rules);
  const earliest = Math.max(height, window.from);
  const latest = commit === undefined ? undefined : window.to;
  const isPossible = latest === undefined || earliest <= latest;
  const { perPeriod, premium } = costAt(name, record, earliest, rules);
  const warnings: NameWarning[] = [];
  if (height > input.height) warnings.push('registry_inactive');
  if (isWeak(salt)) warnings.push('salt_weak');
  warnings.push(...warnOfCommit(input, height, rules));
  if (commit && height <= window.to && window.from > window.to) warnings.push('commit_ends_before_free');
  if (record && height < record.expiry) warnings.push('name_registered');
  else if (record && height < record.expiry + rules.graceBlocks) warnings.push('name_in_grace');
  if (isPossible && premium > 0n) warnings.push('premium_decaying', 'race_possible');
  if (input.isRacePending) warnings.push('race_pending');
  if (isPossible && hasPriceStep(earliest, latest, rules)) warnings.push('price_changes');
  return {
    operation: { kind: 'register', periods, salt, name: name.name },
    name,
    commitment,
    sender,
    cost: { perPeriod, periods, premium, total: perPeriod * BigInt(periods) + premium },
    // A commitment that ends first leaves no block at all.
    earliest: isPossible ? earliest : undefined,
    latest: isPossible ? latest : undefined,
    warnings,
  };
}

function warnOfCommit(
  { sender, commit, isCommitPending }: RegisterInput,
  height: number,
  { commitMaturityBlocks, commitLifetimeBlocks }: NameRules,
): NameWarning[] {
  if (sender === undefined) return ['commit_unchecked'];
  if (commit === undefined) return [isCommitPending ? 'commit_pending' : 'commit_missing'];
  const age = height - commit.height;
  if (age > commitLifetimeBlocks) return ['commit_expired'];
  if (age < commitMaturityBlocks) return ['commit_immature'];
  return commitLifetimeBlocks - age < commitMaturityBlocks ? ['commit_expires_soon'] : [];
}

/** Whether another price comes into force after `from`, up to `to`. */
export function hasPriceStep(from: number, to: number | undefined, { prices }: NameRules): boolean {
  return prices.some(({ fromHeight }) => fromHeight > from && (to === undefined || fromHeight <= to));
}
