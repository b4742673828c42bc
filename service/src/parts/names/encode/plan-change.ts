import type { NameWarning } from '@coinfront/api/name-encode.ts';
import { equalBytes } from '@coinfront/protocol/bytes.ts';
import type { NameRecord } from '@coinfront/protocol/names/name-rules.ts';
import type { ParsedName } from '@coinfront/protocol/names/name-syntax.ts';
import type { NameRules } from '@coinfront/protocol/profile.ts';
import type { TxOutput } from '@coinfront/protocol/transaction.ts';
import { costAt } from '../describe-cost.ts';
import type { PlanParts } from './name-plan.ts';
import { hasPriceStep } from './plan-register.ts';

/** What a transfer or a renewal is planned from. */
export type ChangeInput = {
  name: ParsedName;
  sender: Uint8Array | undefined;
  record: NameRecord | undefined;
  /** Of the next block. */
  height: number;
};

/** The recipient comes right behind the carrier. */
const RECIPIENT_VOUT = 1;

/** The name that the owner of an address wants it to be shown with. */
type Shown = { readonly name: string } | undefined;

/** What stands in the way of an owner who disposes of a name, below its expiry. */
function warnOwner({ sender, record, height }: ChangeInput, rules: NameRules): NameWarning[] {
  const warnings: NameWarning[] = [];
  if (record === undefined) warnings.push('name_not_registered');
  else if (height >= record.expiry) warnings.push('name_expired');
  else if (record.expiry - height <= rules.commitMaturityBlocks) warnings.push('name_expires_soon');
  if (record) {
    if (sender === undefined) warnings.push('owner_unchecked');
    else if (!equalBytes(sender, record.owner)) warnings.push('not_owner');
  }
  return warnings;
}

/** Plans a transfer: by the owner, below the expiry. */
export function planTransfer(
  {
    recipient,
    shown,
    records,
    ...input
  }: ChangeInput & { recipient: TxOutput; shown: Shown; records: Uint8Array | undefined },
  rules: NameRules,
): PlanParts {
  const { name, sender, record, height } = input;
  const warnings = warnOwner(input, rules);
  if (record && !equalBytes(recipient.script, record.owner)) {
    if (shown?.name === record.name) warnings.push('reverse_ends');
    if (records) warnings.push('records_end');
  }
  const isPossible = record !== undefined && height < record.expiry;
  return {
    operation: { kind: 'transfer', toVout: RECIPIENT_VOUT, name: name.name },
    name,
    commitment: undefined,
    sender,
    recipient,
    cost: undefined,
    earliest: isPossible ? height : undefined,
    latest: isPossible ? record.expiry - 1 : undefined,
    warnings,
  };
}

/** Plans a reverse record: of a name by its owner, below its expiry; its removal by anybody, for himself. */
export function planReverse(
  { name, shown, ...rest }: Omit<ChangeInput, 'name'> & { name: ParsedName | undefined; shown: Shown },
  rules: NameRules,
): PlanParts {
  const { sender, record } = rest;
  const height = Math.max(rest.height, rules.reverseActivationHeight ?? 0);
  const warnings: NameWarning[] = [];
  if (height > rest.height) warnings.push('reverse_inactive');
  if (name) warnings.push(...warnOwner({ ...rest, name, height }, rules));
  if (name && shown?.name === name.name) warnings.push('reverse_known');
  if (name === undefined && sender && shown === undefined) warnings.push('reverse_none');
  const isPossible = name === undefined || (record !== undefined && height < record.expiry);
  return {
    operation: { kind: 'reverse', name: name?.name ?? '' },
    name,
    commitment: undefined,
    sender,
    cost: undefined,
    earliest: isPossible ? height : undefined,
    latest: isPossible && name && record ? record.expiry - 1 : undefined,
    warnings,
  };
}

/** Plans text records: by the owner, below the expiry. A hash of zeros removes them. */
export function planRecords(
  { hash, known, ...rest }: ChangeInput & { hash: Uint8Array; known: Uint8Array | undefined },
  rules: NameRules,
): PlanParts {
  const { name, sender, record } = rest;
  const height = Math.max(rest.height, rules.recordsActivationHeight ?? 0);
  const isRemoval = hash.every((byte) => byte === 0);
  const warnings: NameWarning[] = [];
  if (height > rest.height) warnings.push('records_inactive');
  warnings.push(...warnOwner({ ...rest, height }, rules));
  if (known && equalBytes(known, hash)) warnings.push('records_known');
  if (isRemoval && known === undefined) warnings.push('records_none');
  const isPossible = record !== undefined && height < record.expiry;
  return {
    operation: { kind: 'records', hash, name: name.name },
    name,
    commitment: undefined,
    sender,
    cost: undefined,
    earliest: isPossible ? height : undefined,
    latest: isPossible ? record.expiry - 1 : undefined,
    warnings,
  };
}

/**
 * Most periods that a renewal can add in any block. The horizon counts from the block that has it, so in the last block of a grace
 * longer than a period more fit than a register may pay for.
 */
export function mostRenewedPeriods({ maxPeriods, graceBlocks, periodBlocks }: NameRules): number {
  return maxPeriods + Math.floor(Math.max(0, graceBlocks - 1) / periodBlocks);
}

/** Plans a renewal: by anybody, until the grace is over, and as soon as it reaches not too far ahead. */
export function planRenew(
  { name, sender, record, height, periods }: ChangeInput & { periods: number },
  rules: NameRules,
): PlanParts {
  const warnings: NameWarning[] = [];
  const latest = record && record.expiry + rules.graceBlocks - 1;
  const earliest =
    record && Math.max(height, record.expiry + (periods - rules.maxPeriods) * rules.periodBlocks);
  const isPossible = earliest !== undefined && latest !== undefined && earliest <= latest;
  if (record === undefined) warnings.push('name_not_registered');
  else if (height > latest!) warnings.push('name_lapsed');
  else if (height >= record.expiry) warnings.push('name_in_grace');
  if (earliest !== undefined && earliest > height) warnings.push('periods_too_many');
  if (record && sender && !equalBytes(sender, record.owner)) warnings.push('renews_for_other');
  if (isPossible && hasPriceStep(earliest, latest, rules)) warnings.push('price_changes');
  // A renewal pays no premium.
  const { perPeriod } = costAt(name, undefined, isPossible ? earliest : height, rules);
  return {
    operation: { kind: 'renew', periods, name: name.name },
    name,
    commitment: undefined,
    sender,
    cost: { perPeriod, periods, premium: 0n, total: perPeriod * BigInt(periods) },
    earliest: isPossible ? earliest : undefined,
    latest: isPossible ? latest : undefined,
    warnings,
  };
}
