import { createTurns, sliceMs } from '../http/turns.ts';
import type { ChainContext } from '../parts/chain/chain-context.ts';
import { makeRichList } from '../parts/chain/rich-list/make-rich-list.ts';
import { createRichListReader } from '../parts/chain/rich-list/rich-list-store.ts';
import { startPoller } from '../poll.ts';
import { type Ground, logFailure } from './ground.ts';
import type { Wired } from './wired.ts';

/** How often it is asked whether a list is due. */
const LOOK_MS = 2_000;

/** The list of the richest: made by the process whose indexer is at work, read by all. Undefined where none is kept. */
export function wireRichList(ground: Ground): (Wired & { read: ChainContext['readRichList'] }) | undefined {
  const { config, profile, logger, indexer, storage } = ground;
  const { richListBlocks } = config;
  if (richListBlocks === undefined) return undefined;
  const onError = logFailure(ground, 'The list of the richest addresses could not be made');
  const poller =
    indexer &&
    startPoller({
      async read(signal) {
        if (indexer.findReport()?.state.kind !== 'ready') return;
        const beganAt = performance.now();
        const isMade = await makeRichList({
          precious: storage.precious,
          readChain: storage.readPrimary,
          profile,
          everyBlocks: richListBlocks,
          giveWay: createSlices(signal),
          now: Date.now,
        }).catch((error: Error) => {
          if (!signal.aborted) onError(error);
          return false;
        });
        if (isMade)
          logger.info(
            { seconds: Math.round(performance.now() - beganAt) / 1_000 },
            'The list of the richest addresses was made.',
          );
      },
      intervalMs: LOOK_MS,
      describeError: () => 'index_unavailable',
    });
  return { read: createRichListReader(storage.precious), finish: () => poller?.stop() };
}

/** Short slices of the thread, with several turns of the event loop between them. */
function createSlices(signal: AbortSignal): () => Promise<void> {
  const takeTurn = createTurns();
  let ends = performance.now() + sliceMs;
  return async () => {
    signal.throwIfAborted();
    if (performance.now() < ends) return;
    await takeTurn();
    ends = performance.now() + sliceMs;
  };
}
