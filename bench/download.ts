import { Pool } from 'undici';
import type { RunningNode } from './bench-node.ts';

/** The fastest pass over the raw blocks: what any indexer pays before it does anything. */
export type DownloadResult = {
  seconds: number;
  bytes: number;
  window: number;
  tried: Record<number, number>;
};

const WINDOWS = [1, 2, 4, 8, 16];
const HASHES_AT_ONCE = 64;

/** Hashes of blocks 1 to `height`, shown order. */
export async function fetchBlockHashes(node: RunningNode, height: number): Promise<string[]> {
  const hashes: string[] = [];
  for (let from = 1; from <= height; from += HASHES_AT_ONCE) {
    const count = Math.min(HASHES_AT_ONCE, height - from + 1);
    const calls = Array.from({ length: count }, (_, offset) =>
      node.rpc<string>('getblockhash', from + offset),
    );
    hashes.push(...(await Promise.all(calls)));
  }
  return hashes;
}

/**
 * Downloads every block over REST and drops the bytes, with 1, 2, 4, 8 and 16 requests in flight, `rounds` times
 * each, and returns the fastest. A pass that is not timed comes first, so that the node's files are in memory.
 */
export async function measureDownload(
  node: RunningNode,
  hashes: readonly string[],
  rounds: number,
): Promise<DownloadResult> {
  await downloadAll(node, hashes, 4);
  const tried: Record<number, number> = {};
  let best = { seconds: Number.POSITIVE_INFINITY, bytes: 0, window: 0 };
  for (let round = 0; round < rounds; round++) {
    for (const window of WINDOWS) {
      const pass = await downloadAll(node, hashes, window);
      tried[window] = Math.min(tried[window] ?? Number.POSITIVE_INFINITY, pass.seconds);
      if (pass.seconds < best.seconds) best = { ...pass, window };
    }
  }
  return { ...best, tried };
}

async function downloadAll(node: RunningNode, hashes: readonly string[], window: number) {
  const pool = new Pool(new URL(node.restUrl).origin, { connections: window, pipelining: 1 });
  const startedAt = performance.now();
  let bytes = 0;
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < hashes.length) {
      const hash = hashes[next]!;
      next += 1;
      const blockBytes = await countBytes(pool, `/rest/block/${hash}.bin`);
      bytes += blockBytes;
    }
  };
  try {
    await Promise.all(Array.from({ length: window }, work));
    return { seconds: (performance.now() - startedAt) / 1_000, bytes };
  } finally {
    await pool.close();
  }
}

function countBytes(pool: Pool, path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    let bytes = 0;
    let status = 0;
    pool.dispatch(
      { path, method: 'GET' },
      {
        onRequestStart() {},
        onResponseStart(_controller, statusCode) {
          status = statusCode;
        },
        onResponseData(_controller, chunk) {
          bytes += chunk.length;
        },
        onResponseEnd() {
          if (status === 200) resolve(bytes);
          else reject(new Error(`GET ${path} answered ${status}: the node must run with -rest.`));
        },
        onResponseError(_controller, error) {
          reject(error);
        },
      },
    );
  });
}
