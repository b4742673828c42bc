import { parentPort, workerData } from 'node:worker_threads';
import { checkBlock } from '@coinfront/protocol/block-check.ts';
import { type ScannedBlock, scanBlock } from '@coinfront/protocol/block-scan.ts';
import { parseDisplayHash } from '@coinfront/protocol/bytes.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import { createBlockSource } from '../node/block-source.ts';
import { NodeError } from '../node/node-error.ts';
import { prefetchBlocks } from '../node/prefetch-blocks.ts';
import { createNodeClient } from '../node/rpc-client.ts';
import {
  type FeedFailure,
  type FeedMessage,
  type FeedRequest,
  type FeedWorkerData,
  MAX_WAITING_BYTES,
} from './feed-protocol.ts';
import { sha256 } from './hashes.ts';

/**
 * The thread that fetches, scans and hashes blocks, so that the writing thread only resolves and writes.
 * It runs ahead of the writer by at most {@link MAX_WAITING_BYTES}.
 */

const { nodeUrl, cookieFile, auxpow } = workerData as FeedWorkerData;
const source = createBlockSource(createNodeClient({ url: nodeUrl, cookieFile, maxConnections: 16 }));
const port = parentPort!;

let run = -1;
let stopping = new AbortController();
let waitingBytes = 0;
let onRoom: (() => void) | undefined;

port.on('message', (request: FeedRequest) => {
  if (request.kind === 'fetch') {
    stopping.abort();
    stopping = new AbortController();
    run = request.run;
    waitingBytes = 0;
    void feed(request.run, request.fromHeight, request.toHeight, stopping.signal);
  } else if (request.run === run) {
    if (request.kind === 'taken') waitingBytes -= request.bytes;
    else stopping.abort();
    onRoom?.();
  }
});

async function feed(
  thisRun: number,
  fromHeight: number,
  toHeight: number,
  signal: AbortSignal,
): Promise<void> {
  try {
    for await (const { height, hash, bytes } of prefetchBlocks(source, { fromHeight, toHeight, signal })) {
      const scan = scanBlock(ownBuffer(bytes), { auxpow, sha256 });
      if (!scan.ok) throw new Error(`block ${height} (${hash}) is malformed: ${scan.reason}`);
      const ownHash = getValue(parseDisplayHash(hash));
      const checked = checkBlock(scan.value, ownHash);
      if (!checked.ok) throw new Error(`block ${height} (${hash}) came damaged: ${checked.reason}`);
      waitingBytes += bytes.length;
      post(
        {
          kind: 'block',
          run: thisRun,
          block: { height, hash: ownHash, scan: scan.value },
        },
        buffersOf(scan.value),
      );
      while (waitingBytes > MAX_WAITING_BYTES && !signal.aborted) {
        await new Promise<void>((resolve) => {
          onRoom = resolve;
        });
      }
      signal.throwIfAborted();
    }
    post({ kind: 'end', run: thisRun });
  } catch (error) {
    if (!signal.aborted) post({ kind: 'failed', run: thisRun, error: describeFailure(error) });
  }
}

function post(message: FeedMessage, transfer: ArrayBuffer[] = []): void {
  port.postMessage(message, transfer);
}

/** Handing a buffer over takes all of it away from this thread, so it must hold nothing but the block. */
function ownBuffer(bytes: Uint8Array): Uint8Array {
  return bytes.byteLength === bytes.buffer.byteLength && bytes.buffer instanceof ArrayBuffer
    ? bytes
    : new Uint8Array(bytes);
}

function buffersOf(scan: ScannedBlock): ArrayBuffer[] {
  return Object.values(scan).flatMap((column) =>
    ArrayBuffer.isView(column) && column.buffer instanceof ArrayBuffer ? [column.buffer] : [],
  );
}

function describeFailure(error: unknown): FeedFailure {
  if (error instanceof NodeError) {
    return { from: 'node', kind: error.kind, message: error.message, rpcCode: error.rpcCode };
  }
  return { from: 'block', message: error instanceof Error ? error.message : String(error) };
}
