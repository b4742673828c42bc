import { startPoolBlockFollower } from '../parts/mining/follow-pool-blocks.ts';
import { createRateRecorder } from '../parts/mining/history/record-rates.ts';
import { createEffortRecorder } from '../parts/mining/luck/record-efforts.ts';
import type { MiningContext } from '../parts/mining/mining-context.ts';
import { createMiningPart } from '../parts/mining/mining-part.ts';
import { openPoolSource } from '../parts/mining/open-source.ts';
import { createPoolShare } from '../parts/mining/pool-share.ts';
import { chainOnly, watchPool } from '../parts/mining/watch-pool.ts';
import { waitAtMost } from '../pause.ts';
import { startPoller } from '../poll.ts';
import { type Ground, logFailure } from './ground.ts';
import { STOP_DEADLINE_MS, type Wired } from './wired.ts';

/** How soon a new reading is kept. */
const KEEP_MS = 5_000;

/** Pools: their routes, what is read of them, and the follower of their blocks. */
export function wireMining(
  ground: Ground,
): Wired & { register(): void; poolShare: ReturnType<typeof createPoolShare> } {
  const { config, profile, storage, server } = ground;
  const isWorker = config.roles.has('worker');
  // Who answers requests, and who keeps what pools say.
  const reads = config.roles.has('api') || isWorker;
  const context: MiningContext = {
    readChain: storage.readChain,
    nameSnapshot: ground.nameSnapshot,
    profile,
    pool: profile.pool,
    precious: storage.precious,
    main: config.poolSource && reads ? watchPool(openPoolSource(config.poolSource), Date.now) : chainOnly,
    others: new Map(
      (reads ? config.otherPools : []).map(({ name, source }) => [
        name,
        watchPool(openPoolSource(source), Date.now),
      ]),
    ),
    now: Date.now,
  };
  const follower =
    isWorker && profile.pool
      ? startPoolBlockFollower({
          precious: storage.precious,
          readChain: storage.readPrimary,
          now: Date.now,
          horizonBlocks: config.reorgHorizon,
          onError: logFailure(ground, 'Blocks of the pool cannot be followed'),
        })
      : undefined;
  const recorder = isWorker ? startRecording(ground, context) : undefined;
  const running = [follower, recorder, context.main, ...context.others.values()];
  return {
    poolShare: createPoolShare(context),
    register: () => createMiningPart(context).register(server.app),
    finish: () => Promise.all(running.map((each) => waitAtMost(each?.stop(), STOP_DEADLINE_MS))),
  };
}

/** Keeps what the pools say. */
function startRecording(ground: Ground, { main, others, precious, now }: MiningContext) {
  const onError = logFailure(ground, 'What a pool says cannot be kept');
  const findChainTime = () => ground.storage.readPrimary(async ({ tip }) => tip?.medianTimePast);
  const readChain = ground.storage.readPrimary;
  const recorders = [
    createEffortRecorder({ precious, readChain, watch: main, now }),
    ...[['', main] as const, ...others].map(([pool, watch]) =>
      createRateRecorder({ precious, pool, watch, now, findChainTime }),
    ),
  ];
  return startPoller({
    read: async () => {
      const ends = await Promise.allSettled(recorders.map((record) => record()));
      // All fail for one reason when the database is away.
      const failed = ends.find(({ status }) => status === 'rejected');
      if (failed?.status === 'rejected') onError(failed.reason);
    },
    intervalMs: KEEP_MS,
    describeError: () => 'unavailable',
  });
}
