import type { ReplacedTxJson, TxMempoolJson, TxRelativesJson } from '@coinfront/api/chain-tx-mempool.ts';
import { formatAmount } from '@coinfront/protocol/amount.ts';
import { toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { findMempoolPlace } from '@coinfront/protocol/mempool-place.ts';
import { formatFeeRate } from '@coinfront/protocol/relay-rules.ts';
import type { FeeHistogramStep, Replacement, TxRecord } from '../../chain/chain-view.ts';
import type { TxFamily, TxPackage } from '../../chain/tx-family.ts';
import { FEE_STEPS } from '../../indexer/mempool/mempool-summary.ts';

/** The rates of a transaction that waits. */
export function serialiseWaiting(
  { fee = 0n, weight }: TxRecord,
  { package: mined }: TxFamily,
): Pick<TxMempoolJson, 'fee_rate' | 'effective_fee_rate'> {
  return {
    fee_rate: formatFeeRate(fee, weight),
    effective_fee_rate: mined === undefined ? null : formatFeeRate(mined.fee, mined.weight),
  };
}

/** Where a transaction stands that is mined with others; null where these are not known. */
export function describePlace(
  mined: TxPackage | undefined,
  histogram: readonly FeeHistogramStep[],
  mempoolVsize: number,
): TxMempoolJson['place'] {
  if (mined === undefined) return null;
  const steps = histogram.map(({ feeRateMilliSatsPerVb, vsize, txs }) => ({
    rate: feeRateMilliSatsPerVb,
    below: FEE_STEPS.find((bound) => bound > feeRateMilliSatsPerVb) ?? Number.POSITIVE_INFINITY,
    vsize,
    txs,
  }));
  const own = mined.txs.map(({ fee = 0n, weight }) => {
    const vsize = vsizeOf(weight);
    // As the histogram counts it.
    return { rate: (Number(fee) * 1_000) / vsize, vsize };
  });
  const { least, most, block } = findMempoolPlace(steps, (Number(mined.fee) * 4_000) / mined.weight, own);
  return { vsize_ahead_least: least, vsize_ahead_most: most, block, mempool_vsize: mempoolVsize };
}

/** What hangs together with a transaction; null where it is too much. */
export function serialiseRelatives(
  relatives: readonly TxRecord[] | undefined,
  decimals: number,
): TxRelativesJson | null {
  if (relatives === undefined) return null;
  const sum = relatives.reduce((fees, { fee = 0n }) => fees + fee, 0n);
  return {
    count: relatives.length,
    vsize: relatives.reduce((vsize, { weight }) => vsize + vsizeOf(weight), 0),
    fees: formatAmount(sum, decimals),
    items: relatives.map(({ txid, fee = 0n, weight }) => ({
      txid: toDisplayHash(txid),
      vsize: vsizeOf(weight),
      fee: formatAmount(fee, decimals),
      fee_rate: formatFeeRate(fee, weight),
    })),
  };
}

/** A transaction that was replaced. */
export function serialiseReplacement(
  { txid, by, isDirect, atMs, fee, weight }: Replacement,
  decimals: number,
): ReplacedTxJson {
  return {
    txid: toDisplayHash(txid),
    replaced_by: toDisplayHash(by),
    direct: isDirect,
    time: new Date(atMs).toISOString(),
    fee: formatAmount(fee, decimals),
    fee_rate: formatFeeRate(fee, weight),
    vsize: vsizeOf(weight),
  };
}

function vsizeOf(weight: number): number {
  return Math.ceil(weight / 4);
}
