import { hash } from 'node:crypto';
import { scanBlock } from '@coinfront/protocol/block-scan.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import { createBlockSource } from '../../service/src/node/block-source.ts';
import { prefetchBlocks } from '../../service/src/node/prefetch-blocks.ts';
import { createNodeClient } from '../../service/src/node/rpc-client.ts';
import type { Stretch } from './rows.ts';

const sha256 = (bytes: Uint8Array): Uint8Array => hash('sha256', bytes, 'buffer');

/**
 * What any indexer pays before it does anything: every block is fetched, parsed and hashed once, in this thread, by the
 * service's own means, and nothing is kept. Seconds for each stretch.
 */
export async function measureFloor(nodeUrl: string, stretches: readonly Stretch[]): Promise<number[]> {
  const client = createNodeClient({ url: nodeUrl });
  const seconds: number[] = [];
  try {
    let since = performance.now();
    const range = { fromHeight: 0, toHeight: stretches.at(-1)!.toHeight };
    for await (const { height, bytes } of prefetchBlocks(createBlockSource(client), range)) {
      getValue(scanBlock(bytes, { auxpow: false, sha256 }));
      if (height !== stretches[seconds.length]!.toHeight) continue;
      const now = performance.now();
      seconds.push((now - since) / 1_000);
      since = now;
    }
    return seconds;
  } finally {
    await client.close();
  }
}
