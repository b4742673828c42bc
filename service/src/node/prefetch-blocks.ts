import type { BlockSource } from './block-source.ts';

/** A raw block of the node's best chain; all bytes are the receiver's to keep. */
export type FetchedBlock = {
  readonly height: number;
  /** Display hex. */
  readonly hash: string;
  readonly bytes: Uint8Array;
  /** What the node says of the outputs that it spends, where that was asked for and there is an answer. */
  readonly spentOutputs?: Uint8Array | undefined;
};

export type PrefetchOptions = {
  readonly fromHeight: number;
  /** Included. */
  readonly toHeight: number;
  /** Of the block at `toHeight`, where it is known: a single block is fetched by it at once. Display hex. */
  readonly lastHash?: string | undefined;
  /** Blocks asked for or waiting to be taken, at most; 16. */
  readonly window?: number | undefined;
  /**
   * Bytes held ahead of the consumer, at most; 64 MiB. Blocks under way are counted as large as the largest
   * block seen in the last window; one block is always allowed.
   */
  readonly maxBytesInFlight?: number | undefined;
  /** Whether the node is asked for what the next block spends, too. */
  readonly asksForSpent?: (() => boolean) | undefined;
  readonly signal?: AbortSignal | undefined;
};

const HASHES_PER_REQUEST = 500;

type Slot = { block: Promise<FetchedBlock>; size: number | undefined };

/**
 * Downloads blocks in parallel and yields them strictly in order of height.
 *
 * It follows the heights of the node's best chain at the time of asking, or the tip that it is told: the consumer checks
 * that each block follows the one before, and starts again from its own tip when a reorg came in between. Leaving the loop
 * cancels what is under way.
 *
 * @throws NodeError when a block cannot be fetched, after the blocks before it, or when `toHeight` is above the
 *   node's tip; the signal's reason when aborted.
 */
export async function* prefetchBlocks(
  source: BlockSource,
  options: PrefetchOptions,
): AsyncGenerator<FetchedBlock, void, void> {
  const { fromHeight, toHeight, lastHash } = options;
  const window = Math.max(1, options.window ?? 16);
  const maxBytes = options.maxBytesInFlight ?? 64 * 1024 * 1024;
  const stopping = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, stopping.signal]) : stopping.signal;

  const slots: Slot[] = [];
  const recentSizes: number[] = [];
  const hashes =
    fromHeight === toHeight && lastHash !== undefined
      ? async () => lastHash
      : readHashesAhead(source, fromHeight, toHeight, signal);
  let nextHeight = fromHeight;

  function hasRoom(): boolean {
    if (slots.length === 0) return true;
    if (slots.length >= window) return false;
    const expected = recentSizes.length === 0 ? 0 : Math.max(...recentSizes);
    let held = expected;
    for (const slot of slots) held += slot.size ?? expected;
    return held <= maxBytes;
  }

  function begin(height: number, hash: string): void {
    const asked = options.asksForSpent?.() ? source.findSpentOutputs(hash, { signal }) : undefined;
    const fetched = source.fetchBlock(hash, { signal });
    const block = fetched.then(async (bytes) => ({ height, hash, bytes, spentOutputs: await asked }));
    const slot: Slot = { block, size: undefined };
    slots.push(slot);
    block.then(
      (held) => {
        slot.size = sizeOf(held);
      },
      // Reported when its turn comes; until then it must not count as unhandled.
      () => {},
    );
  }

  try {
    while (nextHeight <= toHeight || slots.length > 0) {
      while (nextHeight <= toHeight && hasRoom()) {
        begin(nextHeight, await hashes(nextHeight));
        nextHeight += 1;
      }
      const block = await slots[0]!.block;
      slots.shift();
      recentSizes.push(sizeOf(block));
      if (recentSizes.length > window) recentSizes.shift();
      yield block;
      signal.throwIfAborted();
    }
  } finally {
    stopping.abort();
  }
}

function sizeOf({ bytes, spentOutputs }: FetchedBlock): number {
  return bytes.length + (spentOutputs?.length ?? 0);
}

/** Looks up hashes by the page, asking for the next page while the current one is used. */
function readHashesAhead(
  source: BlockSource,
  fromHeight: number,
  toHeight: number,
  signal: AbortSignal,
): (height: number) => Promise<string> {
  const fetchPage = (start: number): Promise<string[]> => {
    const page = source.fetchHashes(start, Math.min(toHeight, start + HASHES_PER_REQUEST - 1), { signal });
    page.catch(() => {});
    return page;
  };
  let start = fromHeight;
  let page = fetchPage(start);
  let next: Promise<string[]> | undefined;

  return async (height) => {
    if (height >= start + HASHES_PER_REQUEST) {
      start += HASHES_PER_REQUEST;
      page = next ?? fetchPage(start);
      next = undefined;
    }
    if (!next && start + HASHES_PER_REQUEST <= toHeight) next = fetchPage(start + HASHES_PER_REQUEST);
    return (await page)[height - start]!;
  };
}
