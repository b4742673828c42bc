import { findRulesId } from '@coinfront/protocol/rules-id.ts';
import { createAnchorWallet, walletUrl } from '../node/anchor-wallet.ts';
import { createNodeClient } from '../node/rpc-client.ts';
import type { ChainContext } from '../parts/chain/chain-context.ts';
import { listAnchorGauges } from '../parts/proofs/anchor-gauges.ts';
import { openAnchorer } from '../parts/proofs/anchorer.ts';
import { proofHashes } from '../parts/proofs/proof-anchors.ts';
import { proofPrefix } from '../parts/proofs/proof-context.ts';
import { createProofPart } from '../parts/proofs/proof-part.ts';
import { followPeers } from './follow-peers.ts';
import type { Ground } from './ground.ts';
import type { Wired } from './wired.ts';

const ANCHOR_CHECK_MS = 15_000;

/** Proofs, and the wallet of the node that pays for anchors where the operator has set one. */
export function wireProofs(ground: Ground, { broadcast }: Pick<ChainContext, 'broadcast'>): Wired {
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
      rulesId: findRulesId('proofs', profile)!,
      listReplicas: peers.list,
      anchorer,
    },
    server.routes,
    config.publicUrl,
  ).register(server.app);
  return {
    labelled: peers.labelled ?? [],
    gauges: anchorer ? listAnchorGauges(storage.precious, Date.now) : [],
    close: () => Promise.all([client?.close(), anchorer?.stop(), peers.close?.()]),
  };
}
