import type { TreasuryProfile } from '@coinfront/protocol/profile.ts';
import type { ChainContext } from '../parts/chain/chain-context.ts';
import { estimateFeeRate, findRelayRate } from '../parts/chain/fee-routes.ts';
import { judgeNode } from '../parts/chain/health-rules.ts';
import { startTreasuryFollower } from '../parts/treasury/following/follow-treasury.ts';
import { createFindOwnScripts } from '../parts/treasury/scripts/own-scripts.ts';
import type { TreasuryPartContext } from '../parts/treasury/treasury-context.ts';
import { listTreasuryGauges } from '../parts/treasury/treasury-gauges.ts';
import { treasuryLimits } from '../parts/treasury/treasury-limits.ts';
import { createTreasuryPart } from '../parts/treasury/treasury-part.ts';
import { waitAtMost } from '../pause.ts';
import { openServiceKey, serviceKeyFile } from '../signing/service-key.ts';
import { type Ground, logFailure } from './ground.ts';
import { refuseToStart, STOP_DEADLINE_MS, type Wired } from './wired.ts';

/** The treasury, and the follower that keeps its ledger. */
export function wireTreasury(ground: Ground, chain: ChainContext): Wired {
  const { config, profile, node, storage, server } = ground;
  const { precious, readPrimary: readChain } = storage;
  const context: TreasuryPartContext = {
    precious,
    readChain,
    profile,
    now: Date.now,
    nameClient: storage.nameClient,
    // Who limits no client limits none here.
    perClient:
      config.rateLimitPerMinute === undefined
        ? undefined
        : {
            exactAmounts: treasuryLimits.exactAmountsPerDay,
            contributors: treasuryLimits.contributorsPerClient,
          },
    findNodeHeight: () => node.state.current().value?.blocks,
    isNodeAvailable: () => judgeNode(node.state.current(), undefined).available,
    estimateFeeRate: (view) => estimateFeeRate(chain, view),
    getRelayRate: () => findRelayRate(chain),
  };
  createTreasuryPart(context, server.routes, config.publicUrl).register(server.app);
  const follower =
    config.roles.has('worker') && profile.treasury
      ? startTreasuryFollower(
          { ...context, treasury: profile.treasury, ...openFollowing(ground, profile.treasury) },
          {
            onError: logFailure(ground, 'The treasury cannot be followed at the moment'),
            onNearEnd: () =>
              ground.logger.warn(
                'The account of the treasury has used one of the last addresses that are followed. What comes behind them is taken for spent: see "Several addresses" in docs/treasury.md.',
              ),
          },
        )
      : undefined;
  return {
    wake: () => follower?.wake(),
    finish: () => waitAtMost(follower?.stop(), STOP_DEADLINE_MS),
    gauges: listTreasuryGauges(precious, readChain, profile),
  };
}

/** What only who writes the ledger needs; settings that it cannot work with end the start. */
function openFollowing({ config, profile }: Ground, treasury: TreasuryProfile) {
  const found = createFindOwnScripts(profile, treasury);
  if (!found.ok) return refuseToStart([`The coin profile: ${found.reason}.`]);
  try {
    const signer = openServiceKey(serviceKeyFile(config.dataDir, config.registry.keyFile));
    return { signer, findOwnScripts: found.value };
  } catch (error) {
    return refuseToStart([(error as Error).message]);
  }
}
