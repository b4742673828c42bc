/** Grades a block by its coinbase: a tag can be written by anybody, the operator's share is paid by whoever keeps the rule. */

import type { PoolBlockGrade } from '@coinfront/api/mining.ts';
import { bytesToHex } from '@coinfront/protocol/bytes.ts';
import type { PoolProfile } from '@coinfront/protocol/profile.ts';
import { isUnspendable } from '@coinfront/protocol/script.ts';
import type { SubsidyRules } from '@coinfront/protocol/subsidy.ts';
import type { Transaction } from '@coinfront/protocol/transaction.ts';

/** What a coinbase pays, in base units. */
export type CoinbaseSplit = {
  total: bigint;
  miner: bigint;
  operator: bigint;
  /** Who is paid most besides the operator; undefined when nobody is. */
  minerScript: Uint8Array | undefined;
};

/** What is told of a block that carries the tag. */
export type JudgedCoinbase = CoinbaseSplit & { grade: PoolBlockGrade };

/** What is taken from the profile, as text. */
export function poolRulesText(
  { tag, payoutScripts, minerPercent, operatorPercent }: PoolProfile,
  { subsidy }: SubsidyRules,
): string {
  const schedule = JSON.stringify(subsidy, (_, value) => (typeof value === 'bigint' ? `${value}` : value));
  return JSON.stringify([tag, payoutScripts.map(bytesToHex), minerPercent, operatorPercent, schedule]);
}

/**
 * Judges a coinbase; undefined when it does not carry the tag.
 *
 * @param subsidy - new coins that its block may create; undefined where no rule fixes them
 */
export function judgeCoinbase(
  coinbase: Transaction,
  pool: PoolProfile,
  subsidy: bigint | undefined,
): JudgedCoinbase | undefined {
  const script = coinbase.inputs[0]?.scriptSig;
  if (script === undefined || !Buffer.from(script).includes(Buffer.from(pool.tag, 'utf8'))) return undefined;
  const split = readSplit(coinbase, pool);
  const grade =
    split.operator === 0n ? 'tag_only' : isSplitKept(split, pool, subsidy) ? 'verified' : 'mismatch';
  return { ...split, grade };
}

/** Sums what a coinbase pays to the operator and to others. What can never be spent goes to neither. */
function readSplit({ outputs }: Transaction, { payoutScripts }: PoolProfile): CoinbaseSplit {
  const operatorScripts = new Set(payoutScripts.map(bytesToHex));
  const others = new Map<string, { script: Uint8Array; value: bigint }>();
  let total = 0n;
  let miner = 0n;
  let operator = 0n;
  for (const { value, script } of outputs) {
    total += value;
    const hex = bytesToHex(script);
    if (operatorScripts.has(hex)) operator += value;
    else if (value > 0n && !isUnspendable(script)) {
      miner += value;
      others.set(hex, { script, value: value + (others.get(hex)?.value ?? 0n) });
    }
  }
  const [most] = [...others.values()].sort((a, b) => Number(b.value > a.value) - Number(b.value < a.value));
  return { total, miner, operator, minerScript: most?.script };
}

/**
 * Whether both shares are the published ones, to one base unit, of no less than the subsidy: what a coinbase does not claim, its
 * miner does not get.
 */
export function isSplitKept(
  { total, miner, operator }: Pick<CoinbaseSplit, 'total' | 'miner' | 'operator'>,
  { minerPercent, operatorPercent }: Pick<PoolProfile, 'minerPercent' | 'operatorPercent'>,
  subsidy: bigint | undefined,
): boolean {
  if (subsidy !== undefined && total < subsidy) return false;
  return isShare(miner, total, minerPercent) && isShare(operator, total, operatorPercent);
}

function isShare(part: bigint, total: bigint, percent: number): boolean {
  const hundredfold = part * 100n - total * BigInt(percent);
  return hundredfold <= 100n && hundredfold >= -100n;
}

/** A share in parts per million, rounded down; undefined of nothing. */
export function partsPerMillion(part: bigint, total: bigint): number | undefined {
  return total === 0n ? undefined : Number((part * 1_000_000n) / total);
}
