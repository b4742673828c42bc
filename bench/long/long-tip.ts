import { setTimeout as delay } from 'node:timers/promises';
import { toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { createRandom } from '../chain/random.ts';
import type { MeasuredProcess } from '../service-process.ts';
import { waitForTip } from '../service-process.ts';
import { brief, type Row } from '../table.ts';
import { describeTip, waitForOtherTip } from '../tip.ts';
import type { BlockLog } from './chain/block-log.ts';
import type { ChainNode } from './node/start-node.ts';

/** So many blocks are added one by one. */
export const TIP_BLOCKS = 50;

const LONGEST_PAUSE_MS = 400;
const REORG_TIMEOUT_MS = 10 * 60_000;
const MEMPOOL_TIMEOUT_MS = 60_000;
const MEMPOOL_POLL_MS = 20;

/** A service at the end of what its node shows. */
export type AtTip = { service: MeasuredProcess; node: ChainNode; log: BlockLog };

/**
 * Shows the blocks above `height` one by one, and measures for each the time until the service serves it.
 *
 * @param waitingBlocks the node's mempool has the transactions of so many blocks above the tip, and the service knows them all before the
 *   next block comes
 */
export async function measureLongTip(
  { service, node, log }: AtTip,
  height: number,
  waitingBlocks: number,
): Promise<Row> {
  const random = createRandom(height);
  const delaysMs: number[] = [];
  let waitingTxs = waitingBlocks > 0 ? await node.show({ height, waitingBlocks }) : 0;
  for (let next = height + 1; next <= height + TIP_BLOCKS; next++) {
    if (waitingBlocks > 0) await waitForMempool(service, waitingTxs);
    await delay(random.below(LONGEST_PAUSE_MS));
    const served = waitForOtherTip(service, toDisplayHash(log.hashAt(next - 1)));
    const shownAtMs = performance.now();
    waitingTxs = await node.show({ height: next, waitingBlocks });
    const { tip, atMs } = await served;
    if (tip !== toDisplayHash(log.hashAt(next))) throw new Error(`The service serves ${tip} at ${next}.`);
    delaysMs.push(atMs - shownAtMs);
  }
  const added = log.transactionsTo(height + TIP_BLOCKS) - log.transactionsTo(height);
  const [firstMs, ...laterMs] = delaysMs;
  const row = describeTip(
    {
      name: `blocks of ${brief(added / TIP_BLOCKS)}${waitingBlocks > 0 ? ' out of a mempool' : ''}`,
      bound: 'p99 <= 150 ms (PostgreSQL 220), aim 90 (130)',
      how: 'from the order to show the block to /api/v1/status naming it, asked about every 2 ms',
    },
    laterMs,
  );
  return {
    ...row,
    figures: `${row.figures}; before them the first one behind a start ${brief(firstMs!)} ms`,
  };
}

async function waitForMempool(service: MeasuredProcess, txs: number): Promise<void> {
  const deadline = performance.now() + MEMPOOL_TIMEOUT_MS;
  for (;;) {
    service.checkAlive();
    const response = await fetch(`${service.origin}/api/v1/fee`);
    const { mempool } = (await response.json()) as { mempool?: { tx_count: number } };
    if (mempool?.tx_count === txs) return;
    if (performance.now() > deadline)
      throw new Error(`The mempool has ${mempool?.tx_count} transactions, not ${txs}.`);
    await delay(MEMPOOL_POLL_MS);
  }
}

/** Lets the node change to a branch, and measures the time until the service serves its end. */
export async function measureLongReorg(
  { service, node }: Pick<AtTip, 'service' | 'node'>,
  branch: BlockLog,
): Promise<Row> {
  const tipHash = toDisplayHash(branch.hashAt(branch.lastHeight));
  const shownAtMs = performance.now();
  await node.show({ height: branch.lastHeight, onBranch: true });
  const atMs = await waitForTip(service, tipHash, { pollMs: 5, timeoutMs: REORG_TIMEOUT_MS });
  const blocks = branch.lastHeight - branch.firstHeight + 1;
  return {
    measure: `reorg: ${blocks - 1} blocks replaced by ${blocks}`,
    ratio: '-',
    bound: '5 s, aim 2 s',
    figures: `${brief((atMs - shownAtMs) / 1_000)} s, ${brief(branch.transactionsTo(branch.lastHeight))} transactions`,
    how: 'from the order to show the branch to /api/v1/status naming its end',
  };
}
