/**
 * Totals and fee histogram of the mempool, kept up to date with each change and stored beside it, so that reading them
 * never scans it.
 */
export type MempoolSummary = {
  txs: number;
  vsize: number;
  fees: bigint;
  /** By step of {@link FEE_STEPS}: virtual bytes and transactions. */
  steps: Map<number, { vsize: number; txs: number }>;
};

/** Lower bounds of the histogram's steps, in base units per 1,000 vbytes: ten a decade, from 0 to 10^9. */
export const FEE_STEPS: readonly number[] = [
  0,
  ...[2, 3, 4, 5, 6, 7, 8].flatMap((exponent) =>
    [1, 1.25, 1.5, 2, 2.5, 3, 4, 5, 6, 8].map((factor) => factor * 10 ** exponent),
  ),
  1e9,
];

/** The summary of an empty mempool. */
export function emptyMempoolSummary(): MempoolSummary {
  return { txs: 0, vsize: 0, fees: 0n, steps: new Map() };
}

/** Adds a transaction to the summary, or with `sign` -1 takes it out again. */
export function countInSummary(
  summary: MempoolSummary,
  tx: { vsize: number; fee: bigint },
  sign: 1 | -1,
): void {
  summary.txs += sign;
  summary.vsize += sign * tx.vsize;
  summary.fees += BigInt(sign) * tx.fee;
  const index = findFeeStep(tx);
  const step = summary.steps.get(index) ?? { vsize: 0, txs: 0 };
  step.vsize += sign * tx.vsize;
  step.txs += sign;
  if (step.txs === 0) summary.steps.delete(index);
  else summary.steps.set(index, step);
}

/** A fee rate in whole thousandths of a base unit per virtual byte, rounded down: what transactions of the mempool are sorted by. */
export function milliRateOf({ vsize, fee }: { vsize: number; fee: bigint }): number {
  return Math.min(Math.floor((Number(fee) * 1_000) / vsize), Number.MAX_SAFE_INTEGER);
}

function findFeeStep(tx: { vsize: number; fee: bigint }): number {
  const rate = milliRateOf(tx);
  return Math.max(
    0,
    FEE_STEPS.findLastIndex((bound) => bound <= rate),
  );
}

/** The text that the database holds. */
export function encodeMempoolSummary({ txs, vsize, fees, steps }: MempoolSummary): string {
  return JSON.stringify({ txs, vsize, fees: String(fees), steps: [...steps] });
}

/** Reads {@link encodeMempoolSummary}. */
export function decodeMempoolSummary(text: string): MempoolSummary {
  const { txs, vsize, fees, steps } = JSON.parse(text) as {
    txs: number;
    vsize: number;
    fees: string;
    steps: [number, { vsize: number; txs: number }][];
  };
  return { txs, vsize, fees: BigInt(fees), steps: new Map(steps) };
}
