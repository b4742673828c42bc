import type { NameContext } from '@coinfront/protocol/names/name-rules.ts';
import type { CoinProfile } from '@coinfront/protocol/profile.ts';
import type { ChainView } from '../../chain/chain-view.ts';
import type { ReadDependencies } from '../../http/route.ts';

/** What the routes of names are made with. */
export type NameRouteContext = ReadDependencies &
  NameContext & {
    profile: CoinProfile;
    /** Base units for 1,000 virtual bytes: what gets into one of the next blocks. */
    estimateFeeRate: (view: ChainView) => Promise<bigint>;
    /** Base units for 1,000 virtual bytes that the node relays at least. */
    getRelayRate: () => bigint;
  };

/** Where this part's routes begin. */
export const namePrefix = '/api/vns/v1';
