import { setTimeout as delay } from 'node:timers/promises';
import type { NodeClient } from '../../service/src/node/rpc-client.ts';

/** When the next block comes: soon while somebody waits for one, else now and then. */
export type Pace = {
  /** The next so many blocks come soon. */
  hurry(blocks: number): void;
  /** Waits until the next block is due. A transaction that comes meanwhile, from whomever, hurries it. */
  waitForTurn(signal: AbortSignal): Promise<void>;
};

export type PaceOptions = {
  node: NodeClient;
  /** Between blocks while somebody waits. */
  soonMs: number;
  /** Between blocks while nobody does. */
  calmMs: number;
};

/** Blocks that somebody who has sent a transaction waits for: a name is registered 12 after its commitment. */
const BLOCKS_WAITED_FOR = 15;
const LOOK_MS = 1_000;

export function createPace({ node, soonMs, calmMs }: PaceOptions): Pace {
  let hurried = 0;

  /** Grows with each transaction that comes into the mempool or leaves it. */
  async function readSequence(): Promise<number | undefined> {
    const answer = await node
      .call<{ mempool_sequence: number }>('getrawmempool', [false, true])
      .catch(() => undefined);
    return answer?.mempool_sequence;
  }

  function hurry(blocks: number): void {
    hurried = Math.max(hurried, blocks);
  }

  return {
    hurry,
    async waitForTurn(signal) {
      const startedAt = performance.now();
      const before = await readSequence();
      const lookMs = Math.min(LOOK_MS, soonMs);
      while (!signal.aborted) {
        const waitedMs = performance.now() - startedAt;
        if (waitedMs >= (hurried > 0 ? soonMs : calmMs)) break;
        await delay(lookMs, undefined, { signal }).catch(() => {});
        const now = await readSequence();
        if (before !== undefined && now !== undefined && now !== before) hurry(BLOCKS_WAITED_FOR);
      }
      hurried = Math.max(0, hurried - 1);
    },
  };
}
