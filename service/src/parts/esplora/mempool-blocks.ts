import type { EsploraMempoolBlockJson } from '@coinfront/api/esplora.ts';
import { cutIntoBlocks } from '@coinfront/protocol/mempool-blocks.ts';
import { toBaseUnits } from './serialise.ts';

type Step = { feeRateMilliSatsPerVb: number; vsize: number; txs: number };

/** Blocks that are told apart. */
const mostBlocks = 8;

/**
 * The mempool cut into blocks; `histogram` is highest rate first. Rates are the lower bounds of its steps.
 */
export function describeMempoolBlocks(
  histogram: readonly Step[],
  totalFees: bigint,
): EsploraMempoolBlockJson[] {
  const blocks = cutIntoBlocks(histogram, mostBlocks);
  return blocks.map((steps) => describeBlock(steps, blocks.length === 1 ? totalFees : undefined));
}

function describeBlock(steps: readonly Step[], fees: bigint | undefined): EsploraMempoolBlockJson {
  const blockVSize = sum(steps, ({ vsize }) => vsize);
  let above = 0;
  const median = steps.find(({ vsize }) => {
    above += vsize;
    return above >= blockVSize / 2;
  });
  return {
    blockSize: null,
    blockVSize,
    nTx: sum(steps, ({ txs }) => txs),
    totalFees: fees === undefined ? null : toBaseUnits(fees),
    medianFee: median!.feeRateMilliSatsPerVb / 1000,
    feeRange: steps.map(({ feeRateMilliSatsPerVb }) => feeRateMilliSatsPerVb / 1000).reverse(),
  };
}

function sum(steps: readonly Step[], of: (step: Step) => number): number {
  return steps.reduce((total, step) => total + of(step), 0);
}
