import { setTimeout as delay } from 'node:timers/promises';
import type { RunningNode } from './bench-node.ts';
import { payoutDescriptor, resumeTraffic } from './chain/mine.ts';
import { createRandom } from './chain/random.ts';
import type { BenchChain } from './chain-maker.ts';
import { findServedTip, type MeasuredProcess, startService, waitForTip } from './service-process.ts';
import type { StorageMaker } from './storage.ts';
import { brief, quantile, type Row } from './table.ts';

const BLOCKS = 100;
const FULL_BLOCK_TXS = 2_000;
const SYNC_TIMEOUT_MS = 30 * 60_000;
const BLOCK_TIMEOUT_MS = 30_000;
const POLL_MS = 1;
const LONGEST_PAUSE_MS = 200;
const BOUND = 'p99 < 250 ms';
const HOW = "from the node's long poll returning to /api/v1/status naming the block, asked about every 2 ms";

/**
 * Adds 100 blocks to the chain, empty and of 2,000 transactions by turns, and measures for each the milliseconds from
 * the node's acceptance (its long poll, or the answer of the mining call, whichever comes first) to the API naming it
 * as its tip. The chain must be a copy.
 */
export async function measureTip(chain: BenchChain, storages: StorageMaker): Promise<Row[]> {
  const { node, facts } = chain;
  const storage = await storages.open();
  const service = await startService(node.url, storage);
  try {
    const traffic = await resumeTraffic(node, { seed: facts.seed, transactions: facts.requested });
    await waitForTip(service, facts.tipHash, { pollMs: 200, timeoutMs: SYNC_TIMEOUT_MS });
    const random = createRandom(facts.seed);
    const emptyMs: number[] = [];
    const fullMs: number[] = [];
    let tip = facts.tipHash;
    for (let block = 0; block < BLOCKS; block++) {
      const full = block % 2 === 1;
      const raws = full ? Array.from({ length: FULL_BLOCK_TXS }, () => traffic.next().hex) : [];
      await delay(random.below(LONGEST_PAUSE_MS));
      const { hash, delayMs } = await timeBlock(node, service, tip, raws);
      (full ? fullMs : emptyMs).push(delayMs);
      tip = hash;
    }
    const kind = { bound: BOUND, how: HOW };
    return [
      describeTip({ ...kind, name: 'empty blocks' }, emptyMs),
      describeTip({ ...kind, name: `blocks of ${FULL_BLOCK_TXS}` }, fullMs),
    ];
  } finally {
    await service.stop();
    await storage.drop();
  }
}

async function timeBlock(node: RunningNode, service: MeasuredProcess, tip: string, raws: string[]) {
  const noticed = node.rpc('waitfornewblock', BLOCK_TIMEOUT_MS).then(() => performance.now());
  // The long poll must stand before the block comes: one round trip on another connection makes that near certain.
  await node.rpc('getbestblockhash');
  const served = waitForOtherTip(service, tip);
  const mined = node
    .rpc<{ hash: string }>('generateblock', payoutDescriptor(), raws)
    .then(({ hash }) => ({ hash, atMs: performance.now() }));
  const [{ hash, atMs }, answer, noticedAtMs] = await Promise.all([mined, served, noticed]);
  if (answer.tip !== hash) throw new Error(`The service serves ${answer.tip}, the node mined ${hash}.`);
  return { hash, delayMs: Math.max(0, answer.atMs - Math.min(atMs, noticedAtMs)) };
}

/** Waits until the service serves another tip than `before`: which, and when on the clock of `performance.now()`. */
export async function waitForOtherTip(
  service: MeasuredProcess,
  before: string,
): Promise<{ tip: string; atMs: number }> {
  const deadline = performance.now() + BLOCK_TIMEOUT_MS;
  while (performance.now() < deadline) {
    const tip = await findServedTip(service);
    if (tip !== undefined && tip !== before) return { tip, atMs: performance.now() };
    await delay(POLL_MS);
  }
  throw new Error(`The service did not serve a new block within ${BLOCK_TIMEOUT_MS / 1_000} s.`);
}

/** The row of blocks of one kind. */
export function describeTip(
  { name, bound, how }: { name: string; bound: string; how: string },
  delaysMs: readonly number[],
): Row {
  const p99 = quantile(delaysMs, 0.99);
  return {
    measure: `tip: ${name}`,
    ratio: '-',
    bound,
    figures: `p50 ${brief(quantile(delaysMs, 0.5))} ms, p99 ${brief(p99)} ms, of ${delaysMs.length}`,
    how,
  };
}
