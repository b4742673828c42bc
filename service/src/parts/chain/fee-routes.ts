import { FeeReport } from '@coinfront/api/chain-state.ts';
import { formatAmount, parseAmount } from '@coinfront/protocol/amount.ts';
import type { FastifyInstance } from 'fastify';
import type { ChainView, FeeHistogramStep } from '../../chain/chain-view.ts';
import { registerRead } from '../../http/read-route.ts';
import { feeTargets } from '../../node/fee-estimates.ts';
import type { ChainContext } from './chain-context.ts';
import { stateExamples } from './examples-state.ts';
import { estimateFees, type FeeEstimate } from './fee-rules.ts';

/** Core's default relay minimum, base units for 1,000 virtual bytes, until the node has said its own. */
const defaultMinimum = 1_000n;

/** Blocks to wait for a transaction whose sender named no rate. */
const DEFAULT_TARGET = 6;

/** Fee rates that the node gave, in base units for 1,000 virtual bytes. */
function readFeeRates(context: ChainContext): {
  nodeRates: Map<number, bigint>;
  minimum: bigint;
  minimumSource: 'node' | 'default';
} {
  const { value } = context.getFeeState();
  const { decimals } = context.profile;
  const read = (text: string | undefined): bigint | undefined => {
    const parsed = text === undefined ? undefined : parseAmount(text, decimals);
    return parsed?.ok ? parsed.value : undefined;
  };
  const nodeRates = new Map<number, bigint>();
  for (const [target, text] of value?.estimates ?? []) {
    const rate = read(text);
    if (rate !== undefined) nodeRates.set(target, rate);
  }
  const minimum = read(value?.minimumRate);
  return {
    nodeRates,
    minimum: minimum ?? defaultMinimum,
    minimumSource: minimum === undefined ? 'default' : 'node',
  };
}

/** Estimates for these targets from what the node last said and from the mempool. */
export function estimateFeesFor(
  context: ChainContext,
  targets: readonly number[],
  histogram: readonly FeeHistogramStep[],
): FeeEstimate[] {
  const { nodeRates, minimum } = readFeeRates(context);
  return estimateFees({ targets, nodeRates, minimum, histogram });
}

/** Base units for 1,000 virtual bytes that get a transaction into one of the next few blocks. */
export async function estimateFeeRate(context: ChainContext, view: ChainView): Promise<bigint> {
  const [estimate] = estimateFeesFor(context, [DEFAULT_TARGET], await view.getFeeHistogram());
  return estimate!.ratePerKvb;
}

/** Base units for 1,000 virtual bytes that enter the node's mempool at least, as it is now. */
export function findMinimumRate(context: ChainContext): bigint {
  return readFeeRates(context).minimum;
}

/** Base units for 1,000 virtual bytes that the node relays at least, whatever its mempool holds. */
export function findRelayRate(context: ChainContext): bigint {
  const { value } = context.getNodeState();
  const parsed = value && parseAmount(value.relayFee, context.profile.decimals);
  return parsed?.ok ? parsed.value : defaultMinimum;
}

/** `/fee`. */
export function registerFeeRoutes(app: FastifyInstance, context: ChainContext): void {
  const { decimals } = context.profile;
  // Base units for 1,000 vbytes, shown for one (three decimals) and as coins for 1,000.
  const show = (ratePerKvb: bigint) => ({
    per_vb: formatAmount(ratePerKvb, 3),
    per_kvb: formatAmount(ratePerKvb, decimals),
  });

  registerRead(app, context, {
    path: '/fee',
    response: FeeReport,
    dependsOn: 'volatile',
    operation: {
      document: 'chain',
      id: 'getFees',
      tag: 'Fees',
      summary: 'Fee information',
      description:
        'Estimates by target, each with where it comes from, the least that the node relays, and what the mempool pays. ' +
        'The node is asked every 10 seconds in the background.',
      errors: [],
      example: stateExamples.fee,
    },
    async read({ view }) {
      const histogram = await view.getFeeHistogram();
      const { minimum, minimumSource } = readFeeRates(context);
      const { valueAtMs } = context.getFeeState();
      return {
        minimum: { ...show(minimum), source: minimumSource },
        estimates: estimateFeesFor(context, feeTargets, histogram).map((estimate) => ({
          target_blocks: estimate.targetBlocks,
          ...show(estimate.ratePerKvb),
          source: estimate.source,
        })),
        estimates_as_of: valueAtMs === undefined ? null : new Date(valueAtMs).toISOString(),
        mempool: {
          tx_count: view.mempool.txs,
          vsize: view.mempool.vsize,
          fees: formatAmount(view.mempool.fees, decimals),
          histogram: histogram.map((step) => ({
            per_vb: formatAmount(BigInt(Math.floor(step.feeRateMilliSatsPerVb)), 3),
            vsize: step.vsize,
            tx_count: step.txs,
          })),
        },
      };
    },
  });
}
