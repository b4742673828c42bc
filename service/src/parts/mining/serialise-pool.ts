/** What is read of pools, as bodies have it. */

import type { MinerJson, OtherPoolJson, PoolBlockJson, PoolSourceKind } from '@coinfront/api/mining.ts';
import { encodeAddress } from '@coinfront/protocol/address.ts';
import { formatAmount } from '@coinfront/protocol/amount.ts';
import type { CoinProfile, PoolProfile } from '@coinfront/protocol/profile.ts';
import { subsidyAt } from '@coinfront/protocol/subsidy.ts';
import { confirmationsAt } from '../../chain/chain-reads.ts';
import type { BlockRecord } from '../../chain/chain-view.ts';
import { formatHashrate } from '../../chain/network-hashrate.ts';
import type { KnownEffort } from './luck/effort-store.ts';
import { serialiseEffort } from './luck/serialise-effort.ts';
import { findEffort, judgeFreshness } from './mining-rules.ts';
import type { PoolBlock } from './pool-block-store.ts';
import type { PoolReading, SourceHashrate, SourceMiner } from './pool-source.ts';
import { isSplitKept, partsPerMillion } from './split-rules.ts';
import type { KeptReading, PoolWatch } from './watch-pool.ts';

/** Where figures come from, and how old they are. */
export function describeSource(
  watch: PoolWatch,
  nowMs: number,
  reading: KeptReading | undefined = watch.current().readings[0],
): { source: PoolSourceKind; observed_at: string | null; stale: boolean } {
  if (watch.kind === 'chain') return { source: 'chain', observed_at: null, stale: false };
  const { observedAtMs, stale } = judgeFreshness({ reading, failed: watch.current().failed }, nowMs);
  return { source: watch.kind, observed_at: formatMs(observedAtMs), stale };
}

/** The figures of one pool; all of them are unknown without a reading. */
export function serialiseAccounting(
  reading: PoolReading | undefined,
  networkDifficulty: number | undefined,
): Pick<OtherPoolJson, 'hashrates' | 'miners' | 'workers' | 'effort' | 'best_share' | 'shares'> {
  return {
    hashrates: (reading?.hashrates ?? []).map(serialiseHashrate),
    miners: reading?.miners ?? null,
    workers: reading?.workers ?? null,
    effort: (reading && findEffort(reading, networkDifficulty ?? 0)) ?? null,
    best_share: reading?.bestShare ?? null,
    shares: { accepted: reading?.shareDifficulty ?? null, rejected: reading?.rejectedShares ?? null },
  };
}

/** A miner of a list. */
export function serialiseMiner(miner: SourceMiner): MinerJson {
  return {
    address: miner.address,
    hashrates: miner.hashrates.map(serialiseHashrate),
    workers: miner.workers ?? null,
    best_share: miner.bestShare ?? null,
    last_share_at: formatMs(miner.lastShareAtMs),
  };
}

/** A block with the tag; `isOrphaned` when another one has its place. */
export function serialisePoolBlock(
  block: PoolBlock,
  {
    tip,
    profile,
    pool,
    effort,
    isOrphaned,
  }: {
    tip: BlockRecord;
    profile: CoinProfile;
    pool: PoolProfile;
    effort: KnownEffort | undefined;
    isOrphaned: boolean;
  },
): PoolBlockJson {
  const { total, miner, operator } = block;
  const isMature = tip.height + 1 - block.height >= profile.coinbaseMaturity;
  const amount = (value: bigint) => formatAmount(value, profile.decimals);
  return {
    height: block.height,
    hash: block.hash,
    time: formatMs(block.time * 1000)!,
    grade: block.grade,
    status: isOrphaned ? 'orphaned' : isMature ? 'mature' : 'immature',
    confirmations: isOrphaned ? 0 : confirmationsAt(block.height, tip),
    split: {
      total: amount(total),
      miner: amount(miner),
      operator: amount(operator),
      miner_ppm: partsPerMillion(miner, total) ?? null,
      operator_ppm: partsPerMillion(operator, total) ?? null,
      kept: isSplitKept(block, pool, subsidyAt(block.height, profile)),
    },
    miner_address: (block.minerScript && encodeAddress(block.minerScript, profile)) ?? null,
    ...serialiseEffort(effort),
  };
}

/** A hashrate as bodies have it. */
export function serialiseHashrate({ windowSeconds, milliHashesPerSecond }: SourceHashrate) {
  return {
    window_seconds: windowSeconds ?? null,
    hashes_per_second: formatHashrate(milliHashesPerSecond),
  };
}

/** A moment as bodies have it. */
export function formatMs(ms: number | undefined): string | null {
  return ms === undefined ? null : new Date(ms).toISOString();
}
