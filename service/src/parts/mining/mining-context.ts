import type { CoinProfile, PoolProfile } from '@coinfront/protocol/profile.ts';
import type { Precious } from '../../db/precious.ts';
import type { ReadDependencies } from '../../http/read-route.ts';
import type { PoolWatch } from './watch-pool.ts';

/** What the routes of mining are made with. */
export type MiningContext = ReadDependencies & {
  profile: CoinProfile;
  /** The public pool; undefined where the coin has none. */
  pool: PoolProfile | undefined;
  precious: Precious;
  main: PoolWatch;
  /** Further pools by their names, with accounting of their own. */
  others: ReadonlyMap<string, PoolWatch>;
  now: () => number;
};

/** Where this part's routes begin. */
export const miningPrefix = '/api/v1';
