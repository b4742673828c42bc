import type { ProofJson } from '@coinfront/api/proofs.ts';
import { getHexBytes } from '@coinfront/protocol/bytes.ts';
import { findRulesId } from '@coinfront/protocol/rules-id.ts';
import { AppError } from '../errors.ts';
import { createAnchorWallet, walletUrl } from '../node/anchor-wallet.ts';
import { createNodeClient } from '../node/rpc-client.ts';
import type { ChainContext } from '../parts/chain/chain-context.ts';
import { listAnchorGauges } from '../parts/proofs/anchor-gauges.ts';
import { type Anchorer, openAnchorer } from '../parts/proofs/anchorer.ts';
import { type Calendar, openCalendar } from '../parts/proofs/calendar/calendar.ts';
import { listCalendarGauges } from '../parts/proofs/calendar/calendar-gauges.ts';
import { findLeaf } from '../parts/proofs/calendar/find-leaf.ts';
import { createDepthLook, runCalendar } from '../parts/proofs/calendar/run-calendar.ts';
import { findCalendarUri } from '../parts/proofs/ots/calendar-uri.ts';
import { proofHashes } from '../parts/proofs/proof-anchors.ts';
import { proofPrefix } from '../parts/proofs/proof-context.ts';
import { createProofPart } from '../parts/proofs/proof-part.ts';
import { readProof } from '../parts/proofs/read-proof.ts';
import { waitAtMost } from '../pause.ts';
import { followPeers } from './follow-peers.ts';
import { type Ground, logFailure } from './ground.ts';
import { STOP_DEADLINE_MS, type Wired } from './wired.ts';

const ANCHOR_CHECK_MS = 15_000;

/** What other parts anchor by, and find in the chain again. Digests are hex. */
export type WiredAnchors = {
  /** Gives a digest of the service's own to the chain; false while it cannot be sent. Undefined without a wallet. */
  anchorOwn: ((digest: string) => Promise<boolean>) | undefined;
  /** What the chain has of a digest; undefined while the index has no block. */
  findProof(digest: string): Promise<ProofJson | undefined>;
};

/** Proofs, and the wallet of the node that pays for anchors where the operator has set one. */
export function wireProofs(
  ground: Ground,
  { broadcast }: Pick<ChainContext, 'broadcast'>,
): Wired & WiredAnchors {
  const { config, profile, storage, server } = ground;
  const { anchor } = config;
  const client =
    anchor &&
    createNodeClient({ url: walletUrl(config.nodeUrl, anchor.wallet), cookieFile: config.nodeCookieFile });
  const anchorer =
    anchor &&
    client &&
    openAnchorer({
      ...anchor,
      precious: storage.precious,
      readChain: storage.readPrimary,
      nameClient: storage.nameClient,
      rules: profile.proofs,
      wallet: createAnchorWallet(client, { maxFee: anchor.maxFee, decimals: profile.decimals }),
      broadcast,
      now: Date.now,
      keepSendingEveryMs: config.roles.has('worker') ? ANCHOR_CHECK_MS : undefined,
    });
  const calendar = wireCalendar(ground, anchorer);
  const peers = followPeers(ground, {
    protocol: 'proofs',
    singular: 'proof',
    path: `${proofPrefix}/proof`,
    marker: profile.proofs.marker,
    activationHeight: 0,
    hashes: proofHashes,
  });
  createProofPart(
    {
      readChain: storage.readChain,
      nameSnapshot: ground.nameSnapshot,
      rules: profile.proofs,
      genesisHash: profile.genesisHash,
      rulesId: findRulesId('proofs', profile)!,
      listReplicas: peers.list,
      anchorer,
      calendar: calendar.calendar,
      calendarUri: findCalendarUri(config.publicUrl),
      bodies: server.bodies,
      findLeaf: (digest) => findLeaf(storage.precious, digest),
    },
    server.routes,
    config.publicUrl,
  ).register(server.app);
  return {
    anchorOwn: anchorer && ((digest) => anchorOwn(anchorer, digest)),
    findProof: (digest) =>
      storage.readPrimary(async (view) =>
        view.tip === undefined
          ? undefined
          : await readProof(view, view.tip, getHexBytes(digest), profile.proofs, firstOnly),
      ),
    labelled: peers.labelled ?? [],
    gauges: [
      ...(anchorer ? listAnchorGauges(storage.precious, anchorer, Date.now) : []),
      ...(anchorer ? listCalendarGauges(storage.precious) : []),
    ],
    finish: () => waitAtMost(calendar.stop?.(), STOP_DEADLINE_MS),
    close: () => Promise.all([client?.close(), anchorer?.stop(), peers.close?.()]),
  };
}

/** The calendar, where there is a wallet for its transactions; the worker makes its trees. */
function wireCalendar(
  ground: Ground,
  anchorer: Anchorer | undefined,
): { calendar: Calendar | undefined; stop?: () => Promise<void> } {
  const { config, profile, storage } = ground;
  if (config.anchor === undefined || anchorer === undefined) return { calendar: undefined };
  const { intervalSeconds, ...limits } = config.anchor.calendar;
  const { precious, nameClient, readPrimary } = storage;
  // One that takes nothing more still anchors what was promised.
  const intervalMs = (intervalSeconds || profile.blockIntervalSeconds) * 1000;
  const calendar =
    intervalSeconds === 0
      ? undefined
      : openCalendar({ precious, bounds: { intervalMs, ...limits }, nameClient, now: Date.now });
  if (!config.roles.has('worker')) return { calendar };
  const { stop } = runCalendar({
    precious,
    intervalMs,
    findConfirmations: createDepthLook(readPrimary, profile.proofs.marker),
    anchor: (root) => anchorOwn(anchorer, root),
    now: Date.now,
    onError: logFailure(ground, 'The calendar cannot go on'),
  });
  return { calendar, stop };
}

/** No further anchors of a digest are of interest, and nobody is charged. */
const firstOnly = { limit: 1, cursor: undefined, charge: () => {} };

async function anchorOwn(anchorer: Anchorer, digest: string): Promise<boolean> {
  try {
    return (await anchorer.anchorOwn(getHexBytes(digest))).ok;
  } catch (error) {
    // The index is behind the node, so that the digest may be there already.
    if (error instanceof AppError && error.code === 'not_ready') return false;
    throw error;
  }
}
