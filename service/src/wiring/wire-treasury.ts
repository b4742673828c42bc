import type { TreasuryProfile } from '@coinfront/protocol/profile.ts';
import type { ChainContext } from '../parts/chain/chain-context.ts';
import { estimateFeeRate, findRelayRate } from '../parts/chain/fee-routes.ts';
import { judgeNode } from '../parts/chain/health-rules.ts';
import { startTreasuryFollower } from '../parts/treasury/following/follow-treasury.ts';
import { findLedgerLog } from '../parts/treasury/ledger/ledger-log.ts';
import type { TreasuryTables } from '../parts/treasury/schema/treasury-tables.ts';
import { createFindOwnScripts } from '../parts/treasury/scripts/own-scripts.ts';
import type { TreasuryPartContext } from '../parts/treasury/treasury-context.ts';
import { listTreasuryGauges } from '../parts/treasury/treasury-gauges.ts';
import { treasuryLimits } from '../parts/treasury/treasury-limits.ts';
import { createTreasuryPart } from '../parts/treasury/treasury-part.ts';
import { waitAtMost } from '../pause.ts';
import { startAnchoring } from '../signed-log/anchor-heads.ts';
import { epochBlocksOf } from '../signed-log/epoch-blocks.ts';
import { openServiceKey, serviceKeyFile } from '../signing/service-key.ts';
import { type Ground, logFailure } from './ground.ts';
import type { WiredAnchors } from './wire-proofs.ts';
import { refuseToStart, STOP_DEADLINE_MS, type Wired } from './wired.ts';

/** A checkpoint that was signed is given to the chain by then. */
const ANCHOR_EVERY_MS = 5_000;

/** What others watch of the treasury. */
export type WiredLedger = {
  /** The log of its ledger; undefined while there is none. */
  findLedgerLog: () => Promise<string | undefined>;
};

/** The treasury, the follower that keeps its ledger, and the anchors of the ledger's log. */
export function wireTreasury(
  ground: Ground,
  chain: ChainContext,
  { anchorOwn }: WiredAnchors,
): Wired & WiredLedger {
  const { config, profile, node, storage, server } = ground;
  const { precious, readPrimary: readChain } = storage;
  const context: TreasuryPartContext = {
    precious,
    readChain,
    profile,
    now: Date.now,
    epochBlocks: epochBlocksOf(config.registry.epochBlocks, profile),
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
  const findOrigin = () => findLedgerLog(precious.query<TreasuryTables>());
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
  const anchoring =
    follower && anchorOwn
      ? startAnchoring({
          precious,
          findOrigin,
          anchor: anchorOwn,
          everyMs: ANCHOR_EVERY_MS,
          onError: logFailure(ground, 'The log of the treasury cannot be anchored at the moment'),
          now: Date.now,
        })
      : undefined;
  return {
    findLedgerLog: findOrigin,
    wake: () => follower?.wake(),
    finish: () => waitAtMost(Promise.all([follower?.stop(), anchoring?.stop()]), STOP_DEADLINE_MS),
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
