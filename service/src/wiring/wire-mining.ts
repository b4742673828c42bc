import { startPoolBlockFollower } from '../parts/mining/follow-pool-blocks.ts';
import type { MiningContext } from '../parts/mining/mining-context.ts';
import { createMiningPart } from '../parts/mining/mining-part.ts';
import { openPoolSource } from '../parts/mining/open-source.ts';
import { createPoolShare } from '../parts/mining/pool-share.ts';
import { chainOnly, watchPool } from '../parts/mining/watch-pool.ts';
import { waitAtMost } from '../pause.ts';
import { type Ground, logFailure } from './ground.ts';
import { STOP_DEADLINE_MS, type Wired } from './wired.ts';

/** Pools: their routes, what is read of them, and the follower of their blocks. */
export function wireMining(
  ground: Ground,
): Wired & { register(): void; poolShare: ReturnType<typeof createPoolShare> } {
  const { config, profile, storage, server } = ground;
  // Only processes that answer requests read pools.
  const isApi = config.roles.has('api');
  const context: MiningContext = {
    readChain: storage.readChain,
    nameSnapshot: ground.nameSnapshot,
    profile,
    pool: profile.pool,
    precious: storage.precious,
    main: config.poolSource && isApi ? watchPool(openPoolSource(config.poolSource), Date.now) : chainOnly,
    others: new Map(
      (isApi ? config.otherPools : []).map(({ name, source }) => [
        name,
        watchPool(openPoolSource(source), Date.now),
      ]),
    ),
    now: Date.now,
  };
  const follower =
    config.roles.has('worker') && profile.pool
      ? startPoolBlockFollower({
          precious: storage.precious,
          readChain: storage.readPrimary,
          now: Date.now,
          horizonBlocks: config.reorgHorizon,
          onError: logFailure(ground, 'Blocks of the pool cannot be followed'),
        })
      : undefined;
  const running = [follower, context.main, ...context.others.values()];
  return {
    poolShare: createPoolShare(context),
    register: () => createMiningPart(context).register(server.app),
    finish: () => Promise.all(running.map((each) => waitAtMost(each?.stop(), STOP_DEADLINE_MS))),
  };
}
