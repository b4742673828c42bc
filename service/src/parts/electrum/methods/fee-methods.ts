import { readFor } from '../electrum-context.ts';
import { electrumCosts } from '../electrum-limits.ts';
import { RpcError } from '../rpc/rpc-error.ts';
import { RANK_1_6 } from '../session/version-rules.ts';
import type { Method, Methods } from './method.ts';
import { readWhole } from './read-parameters.ts';

/** Modes of Core's `estimatesmartfee`. */
const MODES = ['UNSET', 'ECONOMICAL', 'CONSERVATIVE'];
const NO_ESTIMATE = '-1';
/** The greatest target that Core estimates for. */
const MOST_BLOCKS = 1_008;

const estimateFee: Method = {
  parameters: ['number', 'mode'],
  required: 1,
  cost: electrumCosts.call,
  async answer({ readRates, estimateInMode, charge }, session, [number, mode]) {
    const blocks = readWhole(number, 'number');
    if (mode === undefined || mode === null)
      return findEstimate(readRates().estimates, blocks) ?? NO_ESTIMATE;
    const known = MODES.find((each) => each === String(mode).toUpperCase());
    if (known === undefined) throw new RpcError('refused', `mode should be one of ${MODES.join(', ')}`);
    charge.before(session, electrumCosts.headers);
    const target = Math.min(Math.max(1, blocks), MOST_BLOCKS);
    return (await estimateInMode(target, known)) ?? NO_ESTIMATE;
  },
};

/** The node is asked for some targets only: of the longest that is not above, which is never too low. */
function findEstimate(estimates: ReadonlyMap<number, string>, blocks: number): string | undefined {
  const targets = [...estimates.keys()].sort((a, b) => a - b);
  const target = targets.findLast((each) => each <= blocks) ?? targets[0];
  return target === undefined ? undefined : estimates.get(target);
}

const relayFee: Method = {
  parameters: [],
  required: 0,
  until: RANK_1_6,
  cost: electrumCosts.call,
  answer: ({ readRates }) => known(readRates().relay),
};

const mempoolInfo: Method = {
  parameters: [],
  required: 0,
  since: RANK_1_6,
  cost: electrumCosts.call,
  answer({ readRates }) {
    const { mempoolMinimum, relay, incremental } = readRates();
    return `{"mempoolminfee":${known(mempoolMinimum)},"minrelaytxfee":${known(relay)},"incrementalrelayfee":${known(incremental)}}`;
  },
};

const feeHistogram: Method = {
  parameters: [],
  required: 0,
  cost: electrumCosts.call,
  async answer(context, session) {
    const steps = await readFor(context, session, (view) => view.getFeeHistogram());
    const pairs = steps.map(
      ({ feeRateMilliSatsPerVb, vsize }) => `[${feeRateMilliSatsPerVb / 1_000},${vsize}]`,
    );
    return `[${pairs.join(',')}]`;
  },
};

function known(rate: string | undefined): string {
  if (rate !== undefined) return rate;
  throw new RpcError('node', 'daemon error: the node has not said its fees yet; try again');
}

/** Methods about fees and the mempool as a whole. */
export const feeMethods: Methods = {
  'blockchain.estimatefee': estimateFee,
  'blockchain.relayfee': relayFee,
  'mempool.get_fee_histogram': feeHistogram,
  'mempool.get_info': mempoolInfo,
};
