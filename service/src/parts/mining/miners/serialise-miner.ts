import type { MinerDetailJson } from '@coinfront/api/mining-history.ts';
import type { SourceMiner, SourceMinerDetail, SourceWorker } from '../pool-source.ts';
import { formatMs, serialiseHashrate } from '../serialise-pool.ts';

/** What is known of one miner, from the pool's list and from its answer about this one. */
export type KnownMiner = {
  /** In the list; it is of another moment than the answer. */
  listed: SourceMiner | undefined;
  detail: SourceMinerDetail;
  /** Whether who asks may be told the names of machines. */
  tellsWorkers: boolean;
  decimals: number;
};

/** A miner as its own page has it. */
export function serialiseMinerDetail({
  listed,
  detail,
  tellsWorkers,
  decimals,
}: KnownMiner): Omit<
  MinerDetailJson,
  'source' | 'observed_at' | 'stale' | 'asked_at' | 'address' | 'listed'
> {
  const coins = (value: number | undefined) => (value === undefined ? null : value.toFixed(decimals));
  // What lists have are windows by name; an answer about one miner may have fewer.
  const isKnown = detail.hashrates.some(({ milliHashesPerSecond }) => milliHashesPerSecond !== undefined);
  const hashrates = isKnown ? detail.hashrates : (listed?.hashrates ?? detail.hashrates);
  return {
    hashrates: hashrates.map(serialiseHashrate),
    workers: detail.workers ?? listed?.workers ?? null,
    best_share: detail.bestShare ?? listed?.bestShare ?? null,
    last_share_at: formatMs(detail.lastShareAtMs ?? listed?.lastShareAtMs),
    shares: {
      accepted: detail.acceptedShares ?? null,
      rejected: detail.rejectedShares ?? null,
      pending: detail.pendingShares ?? null,
    },
    balance: {
      pending: coins(detail.pendingBalance),
      paid: coins(detail.paid),
      paid_today: coins(detail.paidToday),
      last_payment_at: formatMs(detail.lastPaymentAtMs),
    },
    payments:
      detail.payments?.map(({ atMs, amount, txid }) => ({
        time: formatMs(atMs),
        amount: amount.toFixed(decimals),
        txid: txid ?? null,
      })) ?? null,
    worker_list: tellsWorkers ? (detail.workerList?.map(serialiseWorker) ?? null) : null,
  };
}

function serialiseWorker({ name, hashrates, bestShare, lastShareAtMs }: SourceWorker) {
  return {
    name: name ?? null,
    hashrates: hashrates.map(serialiseHashrate),
    best_share: bestShare ?? null,
    last_share_at: formatMs(lastShareAtMs),
  };
}
