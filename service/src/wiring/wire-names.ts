import type { ChainContext } from '../parts/chain/chain-context.ts';
import { estimateFeeRate, findRelayRate } from '../parts/chain/fee-routes.ts';
import { createNamePart } from '../parts/names/name-part.ts';
import type { Ground } from './ground.ts';

/** The name registry; of a coin without one its routes say so. */
export function wireNames(
  { config, profile, storage, server, nameSnapshot }: Ground,
  chain: ChainContext,
): void {
  createNamePart(
    {
      readChain: storage.readChain,
      nameSnapshot,
      profile,
      estimateFeeRate: (view) => estimateFeeRate(chain, view),
      getRelayRate: () => findRelayRate(chain),
    },
    server.routes,
    config.publicUrl,
  ).register(server.app);
}
