import { hash } from 'node:crypto';
import { scanBlock } from '@coinfront/protocol/block-scan.ts';
import { toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import { createBlockSource } from '../../service/src/node/block-source.ts';
import { prefetchBlocks } from '../../service/src/node/prefetch-blocks.ts';
import { createNodeClient } from '../../service/src/node/rpc-client.ts';
import type { BlockLog } from './chain/block-log.ts';
import type { Stretch } from './rows.ts';

const WARM_UP_BLOCKS = 40;

const sha256 = (bytes: Uint8Array): Uint8Array => hash('sha256', bytes, 'buffer');

/**
 * What any indexer pays before it does anything: every block is fetched, parsed and hashed once, in this thread, by the
 * service's own means, and nothing is kept. Seconds for each stretch. Of a sparse chain the blocks that are kept stand for
 * all: making the others again is no part of it.
 */
export async function measureFloor(
  nodeUrl: string,
  log: BlockLog,
  stretches: readonly Stretch[],
): Promise<number[]> {
  const client = createNodeClient({ url: nodeUrl });
  try {
    const scanAll = async (kept: readonly number[]): Promise<number> => {
      const source = {
        ...createBlockSource(client),
        fetchHashes: async (from: number, to: number) =>
          kept.slice(from, to + 1).map((height) => toDisplayHash(log.hashAt(height))),
      };
      let scanned = 0;
      for await (const { bytes } of prefetchBlocks(source, { fromHeight: 0, toHeight: kept.length - 1 })) {
        scanned += getValue(scanBlock(bytes, { auxpow: false, sha256 })).txCount;
      }
      return scanned;
    };
    // What is measured first would pay for the compiler.
    await scanAll(listKept(log, 0, stretches.at(-1)!.toHeight).slice(0, WARM_UP_BLOCKS));
    const seconds: number[] = [];
    for (const { fromHeight, toHeight, transactions } of stretches) {
      const kept = listKept(log, fromHeight, toHeight);
      const startedAt = performance.now();
      const scanned = await scanAll(kept);
      seconds.push(((performance.now() - startedAt) / 1_000) * (transactions / scanned));
    }
    return seconds;
  } finally {
    await client.close();
  }
}

function listKept(log: BlockLog, from: number, to: number): number[] {
  const heights = Array.from({ length: to - from + 1 }, (_, index) => from + index);
  return heights.filter((height) => log.has(height));
}
