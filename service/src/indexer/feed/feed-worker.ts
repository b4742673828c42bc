import { parentPort, workerData } from 'node:worker_threads';
import { isDamage } from '../../db/damage.ts';
import { openDatabase } from '../../db/open.ts';
import { createBlockSource } from '../../node/block-source.ts';
import { NodeError } from '../../node/node-error.ts';
import { prefetchBlocks } from '../../node/prefetch-blocks.ts';
import { createNodeClient } from '../../node/rpc-client.ts';
import { createDiskPace } from '../disk/disk-pace.ts';
import type {
  FeedFailure,
  FeedMessage,
  FeedNotice,
  FeedRange,
  FeedRequest,
  FeedWorkerData,
  RememberedRange,
} from './feed-protocol.ts';
import { createPrevoutFinder } from './find-prevouts.ts';
import { createForeseenMemory } from './foreseen-prevouts.ts';
import { packBatch } from './pack-batch.ts';
import { type BatchLimits, createBatchPreparer, PREPARER_LIMITS } from './prepare-batch.ts';
import { readBlock, readSpent } from './read-fetched.ts';
import { createSpentTrust } from './spent-trust.ts';

/**
 * The thread that fetches, scans and hashes blocks and finds what they spend, so that the writing thread only connects and
 * writes. It runs ahead of the writer by one batch.
 */

const { nodeUrl, cookieFile, auxpow, database } = workerData as FeedWorkerData;
const source = createBlockSource(createNodeClient({ url: nodeUrl, cookieFile, maxConnections: 16 }));
const port = parentPort!;
const pace = createDiskPace();
const trust = createSpentTrust(pace, (reason) =>
  port.postMessage({ kind: 'distrust', reason } satisfies FeedNotice),
);
const foreseen = createForeseenMemory(
  createPrevoutFinder(await openDatabase(database, { mapsFile: false, servesOthers: false }), pace, trust),
);
const findPrevouts = foreseen.find;
let preparer = createBatchPreparer(PREPARER_LIMITS);

const ANY_SIZE: BatchLimits = { bytes: 0, txs: 0 };
/** So many of the remembered blocks are made ready once more: the code for it is compiled then. */
const REHEARSED_BLOCKS = 8;

/** The request that is served. What a later one has overtaken must not touch the preparer any more. */
type Run = {
  number: number;
  /** When a batch is large enough to be handed over. */
  least: BatchLimits;
  stopping: AbortController;
  wanted: boolean;
  /** Woken by each message of the writer. */
  onMessage: (() => void)[];
};
let current: Run | undefined;

port.on('message', (request: FeedRequest) => {
  if (request.kind === 'foreseen') {
    foreseen.add(request.foreseen);
    return;
  }
  if (request.kind === 'fetch') foreseen.beginAt(request.range.firstOutput);
  if (request.kind === 'fetch' || request.kind === 'remember') {
    current?.stopping.abort();
    const run: Run = {
      number: request.run,
      least: request.kind === 'fetch' ? request.range.least : ANY_SIZE,
      stopping: new AbortController(),
      wanted: false,
      onMessage: [],
    };
    current = run;
    void serve(run, request);
  } else if (request.run === current?.number) {
    if (request.kind === 'stop') current.stopping.abort();
    else {
      current.wanted = true;
      handOver(current);
    }
    for (const wake of current.onMessage.splice(0)) wake();
  }
});

async function serve(run: Run, request: FeedRequest & { kind: 'fetch' | 'remember' }): Promise<void> {
  const { signal } = run.stopping;
  // What an earlier request left behind was never handed over.
  preparer.drop();
  try {
    if (request.kind === 'fetch') await feed(run, request.range, signal);
    else await remember(run, request.range, signal);
    post(run, { kind: 'end', run: run.number });
  } catch (error) {
    if (signal.aborted) return;
    // Whatever this was may have come in the middle of preparing a block.
    if (!(error instanceof NodeError)) preparer = createBatchPreparer(PREPARER_LIMITS);
    await until(run, () => run.wanted).then(
      () => post(run, { kind: 'failed', run: run.number, error: describeFailure(error) }),
      // Stopped meanwhile: nobody asks any more.
      () => {},
    );
  }
}

/** Hands over all blocks of the range, or those up to where the node has changed branches. */
async function feed(run: Run, range: FeedRange, signal: AbortSignal): Promise<void> {
  const { fromHeight, toHeight, toHash, firstOutput, most } = range;
  const options = { fromHeight, toHeight, lastHash: toHash, signal, asksForSpent: trust.wantsNext };
  for await (const fetched of prefetchBlocks(source, options)) {
    signal.throwIfAborted();
    const block = readBlock(fetched, auxpow);
    if (block.height > fromHeight && !preparer.isNext(block)) break;
    preparer.add(block, firstOutput, readSpent(block, fetched, trust));
    if (preparer.isDue || isReached(preparer.size, run.least)) await preparer.resolve(findPrevouts);
    signal.throwIfAborted();
    handOver(run);
    await until(run, () => !isReached(preparer.ready, most));
  }
  await handOverRest(run, signal);
}

/** Remembers blocks, and hands over the last of them. */
async function remember(run: Run, range: RememberedRange, signal: AbortSignal): Promise<void> {
  const { fromHeight, toHeight, firstOutput } = range;
  for await (const fetched of prefetchBlocks(source, { fromHeight, toHeight, signal })) {
    signal.throwIfAborted();
    const block = readBlock(fetched, auxpow);
    if (block.height > fromHeight && !preparer.isNext(block)) break;
    if (block.height <= toHeight - REHEARSED_BLOCKS) preparer.remember(block, firstOutput);
    else {
      preparer.add(block, firstOutput);
      await preparer.resolve(findPrevouts);
      signal.throwIfAborted();
      handOver(run);
    }
  }
  await handOverRest(run, signal);
}

/** Hands over what is left when there are no more blocks, and waits until that is done with. */
async function handOverRest(run: Run, signal: AbortSignal): Promise<void> {
  await preparer.resolve(findPrevouts);
  signal.throwIfAborted();
  run.least = ANY_SIZE;
  await until(run, () => run.wanted);
  handOver(run);
  await until(run, () => run.wanted);
}

/**
 * Waits for what a message of the writer's brings about.
 * @throws the signal's reason when the request is stopped
 */
async function until({ stopping, onMessage }: Run, isSo: () => boolean): Promise<void> {
  stopping.signal.throwIfAborted();
  while (!isSo()) {
    await new Promise<void>((resolve) => onMessage.push(resolve));
    stopping.signal.throwIfAborted();
  }
}

/** Hands the batch under way over, when it is wanted and has reached this size. */
function handOver(run: Run): void {
  if (!run.wanted || !isReached(preparer.ready, run.least)) return;
  const taken = preparer.take();
  if (taken === undefined) return;
  const { batch, buffers } = packBatch(taken);
  post(run, { kind: 'batch', run: run.number, batch }, buffers);
}

function isReached(size: BatchLimits, { bytes, txs }: BatchLimits): boolean {
  return size.bytes >= bytes || size.txs >= txs;
}

function post(run: Run, message: FeedMessage, transfer: ArrayBuffer[] = []): void {
  run.wanted = false;
  port.postMessage(message, transfer);
}

function describeFailure(error: unknown): FeedFailure {
  if (error instanceof NodeError) {
    return { from: 'node', kind: error.kind, message: error.message, rpcCode: error.rpcCode };
  }
  return {
    from: isDamage(error) ? 'index' : 'block',
    message: error instanceof Error ? error.message : String(error),
  };
}
