import type { ReplacedTxJson, TxMempoolJson, TxRelativesJson } from '@coinfront/api/chain-tx-mempool.ts';
import { formatAmount } from '@coinfront/protocol/amount.ts';
import { toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { findMempoolPlace } from '@coinfront/protocol/mempool-place.ts';
import type { Package } from '@coinfront/protocol/package-rates.ts';
import { formatFeeRate } from '@coinfront/protocol/relay-rules.ts';
import type { FeeHistogramStep, Replacement, TxRecord } from '../../chain/chain-view.ts';
import type { TxFamily } from '../../chain/tx-family.ts';

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

/** Where it stands; null where it is not known what counts for that. */
export function describePlace(
  { fee = 0n, weight }: TxRecord,
  mined: Package | undefined,
  histogram: readonly FeeHistogramStep[],
  mempoolVsize: number,
): TxMempoolJson['place'] {
  if (mined === undefined) return null;
  const steps = histogram.map(({ feeRateMilliSatsPerVb, vsize, txs }) => ({
    rate: feeRateMilliSatsPerVb,
    vsize,
    txs,
  }));
  const vsize = vsizeOf(weight);
  const { least, most, block } = findMempoolPlace(steps, {
    rate: (Number(mined.fee) * 4_000) / mined.weight,
    // As the histogram counts it.
    ownRate: (Number(fee) * 1_000) / vsize,
    vsize,
  });
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
