import { findAtHeight } from './height-table.ts';
import type { CoinProfile } from './profile.ts';

/** Core shifts no further: from the 64th halving on there is no subsidy. */
const MAX_HALVINGS = 64;

/** The part of a profile that says when new coins come. */
export type SubsidyRules = Pick<CoinProfile, 'subsidy'>;

/** New coins (base units) that the block of a height may create; undefined where no rule fixes the amount. */
export function subsidyAt(height: number, { subsidy }: SubsidyRules): bigint | undefined {
  if (subsidy.kind === 'table') return findAtHeight(subsidy.steps, height)?.subsidy;
  const halvings = Math.floor(height / subsidy.intervalBlocks);
  return halvings >= MAX_HALVINGS ? 0n : subsidy.initial >> BigInt(halvings);
}

/** The first height above the given one whose subsidy (base units) is another; undefined when it never changes. */
export function nextSubsidyChange(
  height: number,
  rules: SubsidyRules,
): { height: number; subsidy: bigint | undefined } | undefined {
  const { subsidy } = rules;
  const current = subsidyAt(height, rules);
  if (subsidy.kind === 'table') {
    const step = subsidy.steps.find((next) => next.fromHeight > height && next.subsidy !== current);
    return step && { height: step.fromHeight, subsidy: step.subsidy };
  }
  if (current === 0n) return undefined;
  const nextHeight = (Math.floor(height / subsidy.intervalBlocks) + 1) * subsidy.intervalBlocks;
  return { height: nextHeight, subsidy: subsidyAt(nextHeight, rules) };
}

/**
 * All coins (base units) that the schedule can ever create, the genesis block's included; undefined when the
 * schedule has no end or an unknown part.
 */
export function maxSupply({ subsidy }: SubsidyRules): bigint | undefined {
  let total = 0n;
  if (subsidy.kind === 'halving') {
    for (let i = 0; i < MAX_HALVINGS; i++)
      total += (subsidy.initial >> BigInt(i)) * BigInt(subsidy.intervalBlocks);
    return total;
  }
  for (const [i, step] of subsidy.steps.entries()) {
    const next = subsidy.steps[i + 1];
    if (step.subsidy === undefined) return undefined;
    if (step.subsidy === 0n) continue;
    if (next === undefined) return undefined;
    total += step.subsidy * BigInt(next.fromHeight - step.fromHeight);
  }
  return total;
}
