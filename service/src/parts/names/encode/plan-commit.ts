import type { NameWarning } from '@coinfront/api/name-encode.ts';
import type { CommitRecord, NameRecord } from '@coinfront/protocol/names/name-rules.ts';
import type { ParsedName } from '@coinfront/protocol/names/name-syntax.ts';
import type { NameRules } from '@coinfront/protocol/profile.ts';
import { costAt, revealWindow } from '../describe-cost.ts';
import type { PlanParts } from './name-plan.ts';

/** What a commit is planned from. */
export type CommitInput = {
  commitment: Uint8Array;
  /** Undefined when the caller keeps the name to itself. */
  name: ParsedName | undefined;
  salt: Uint8Array | undefined;
  sender: Uint8Array | undefined;
  record: NameRecord | undefined;
  commit: CommitRecord | undefined;
  /** Of the next block. */
  height: number;
};

/** Plans a commit: it can be mined in any block, and is worth something while its name becomes free in time. */
export function planCommit(input: CommitInput, rules: NameRules): PlanParts {
  const { commitment, name, salt, sender, record, commit } = input;
  const height = Math.max(input.height, rules.activationHeight);
  const warnings: NameWarning[] = [];
  if (height > input.height) warnings.push('registry_inactive');
  if (salt && isWeak(salt)) warnings.push('salt_weak');
  const lives = commit !== undefined && height - commit.height <= rules.commitLifetimeBlocks;
  if (lives) warnings.push('commit_known');
  if (name) {
    const window = revealWindow(record, lives ? commit.height : height, rules);
    if (record && height < record.expiry) warnings.push('name_registered');
    else if (record && height < record.expiry + rules.graceBlocks) warnings.push('name_in_grace');
    if (window.from > window.to) warnings.push('commit_ends_before_free');
    else if (costAt(name, record, window.from, rules).premium > 0n) warnings.push('premium_decaying');
  }
  return {
    operation: { kind: 'commit', commitment },
    name,
    commitment,
    sender,
    cost: undefined,
    earliest: height,
    latest: undefined,
    warnings,
  };
}

const FEWEST_VALUES = 6;

/** Whether 16 bytes have so few different values that nobody drew them at random. */
export function isWeak(salt: Uint8Array): boolean {
  return new Set(salt).size < FEWEST_VALUES;
}
