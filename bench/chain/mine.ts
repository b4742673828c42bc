import type { RunningNode } from '../bench-node.ts';
import { createRandom } from './random.ts';
import { openScriptPubKey } from './scripts.ts';
import type { RawTransaction } from './serialize.ts';
import { createTraffic, MINER_NUMBER, type Traffic, type TrafficPlan } from './traffic.ts';

const SETUP_BLOCKS = 150;
const FAN_OUTS = 50;
const FAN_OUTS_PER_BLOCK = 25;
const FIRST_BLOCK_TIME_S = 1_700_000_000;
const BLOCK_INTERVAL_S = 150;
const REGTEST_COINBASE_VALUE = 5_000_000_000n;
const LEAST_BLOCK_TXS = 2_000;
const MOST_BLOCK_TXS = 3_500;
const REPORT_EVERY_MS = 5_000;

/**
 * Mines the whole plan on a fresh node: setup blocks, fan-outs of their matured coinbases, then the traffic in
 * blocks of 2,000 to 3,500 transactions. The next block is built while the node checks the last one. Block times are
 * set through the node's mock clock, so that the same plan gives the same blocks.
 */
export async function mineTraffic(
  node: RunningNode,
  plan: TrafficPlan,
  report: (line: string) => void,
): Promise<Traffic> {
  const payout = payoutDescriptor();
  let height = 0;
  const nextTime = (): number => FIRST_BLOCK_TIME_S + height * BLOCK_INTERVAL_S;
  const mine = async (raws: RawTransaction[]): Promise<void> => {
    height += 1;
    await node.rpc('setmocktime', nextTime());
    await node.rpc(
      'generateblock',
      payout,
      raws.map(({ hex }) => hex),
    );
  };

  for (let block = 0; block < SETUP_BLOCKS; block++) {
    height += 1;
    await node.rpc('setmocktime', nextTime());
    await node.rpc('generatetodescriptor', 1, payout);
  }
  const { traffic, fanOuts } = await startTraffic(node, plan);
  for (let first = 0; first < FAN_OUTS; first += FAN_OUTS_PER_BLOCK) {
    await mine(fanOuts.slice(first, first + FAN_OUTS_PER_BLOCK));
  }

  const sizes = createRandom(plan.seed ^ 0x5bd1e995);
  const buildBlock = (): RawTransaction[] => {
    const wanted = LEAST_BLOCK_TXS + sizes.below(MOST_BLOCK_TXS - LEAST_BLOCK_TXS + 1);
    const count = Math.min(wanted, plan.transactions - traffic.made());
    return Array.from({ length: count }, () => traffic.next());
  };
  const startedAt = performance.now();
  let reportedAt = startedAt;
  let mined = 0;
  let block = buildBlock();
  while (block.length > 0) {
    const mining = mine(block);
    const following = buildBlock();
    await mining;
    mined += block.length;
    block = following;
    const now = performance.now();
    if (now - reportedAt > REPORT_EVERY_MS || block.length === 0) {
      reportedAt = now;
      const perSecond = Math.round((mined * 1_000) / (now - startedAt));
      report(`chain: ${mined} of ${plan.transactions} transactions at height ${height}, ${perSecond} tx/s`);
    }
  }
  return traffic;
}

/**
 * Makes the plan's traffic once more without mining it, so that more transactions can follow on a chain that was made
 * before. The node must serve that chain.
 */
export async function resumeTraffic(node: RunningNode, plan: TrafficPlan): Promise<Traffic> {
  const { traffic } = await startTraffic(node, plan);
  while (traffic.made() < plan.transactions) traffic.next();
  return traffic;
}

/** The descriptor that the bench's blocks pay to. */
export function payoutDescriptor(): string {
  return `raw(${Buffer.from(openScriptPubKey(MINER_NUMBER)).toString('hex')})`;
}

async function startTraffic(
  node: RunningNode,
  plan: TrafficPlan,
): Promise<{ traffic: Traffic; fanOuts: RawTransaction[] }> {
  const traffic = createTraffic(plan);
  const fanOuts: RawTransaction[] = [];
  for (let height = 1; height <= FAN_OUTS; height++) {
    const hash = await node.rpc<string>('getblockhash', height);
    const { tx } = await node.rpc<{ tx: [string] }>('getblock', hash, 1);
    const txid = Buffer.from(tx[0], 'hex').reverse();
    fanOuts.push(traffic.fanOut({ txid, value: REGTEST_COINBASE_VALUE }));
  }
  return { traffic, fanOuts };
}
