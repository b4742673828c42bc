import type { ChainContext } from '../parts/chain/chain-context.ts';
import { estimateFeeRate, findRelayRate } from '../parts/chain/fee-routes.ts';
import { namePrefix } from '../parts/names/name-context.ts';
import { createNamePart } from '../parts/names/name-part.ts';
import { nameHashes } from '../parts/names/name-tables.ts';
import { followPeers } from './follow-peers.ts';
import type { Ground } from './ground.ts';
import type { Wired } from './wired.ts';

/** The name registry, where the coin has one. */
export function wireNames(ground: Ground, chain: ChainContext): Wired {
  const { config, profile, storage, server, nameSnapshot } = ground;
  const { names } = profile;
  if (!names) return {};
  const { list, ...peers } = followPeers(ground, {
    protocol: 'names',
    singular: 'name',
    path: namePrefix,
    ...names,
    hashes: nameHashes,
  });
  createNamePart(
    {
      readChain: storage.readChain,
      nameSnapshot,
      profile,
      estimateFeeRate: (view) => estimateFeeRate(chain, view),
      getRelayRate: () => findRelayRate(chain),
      listReplicas: list,
      precious: storage.precious,
      now: Date.now,
    },
    server.routes,
    config.publicUrl,
  ).register(server.app);
  return peers;
}
