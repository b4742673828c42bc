import { testMempoolAccept } from '../node/broadcast.ts';
import type { ChainContext } from '../parts/chain/chain-context.ts';
import { estimateFeeRate, findRelayRate } from '../parts/chain/fee-routes.ts';
import { judgeHealth } from '../parts/chain/health-rules.ts';
import { createFindIssuer } from '../parts/tokens/metadata/find-issuer.ts';
import { createTokenMetadataPart } from '../parts/tokens/metadata/metadata-part.ts';
import { listReviewGauges } from '../parts/tokens/metadata/review-gauges.ts';
import { createFindReviewedMetadata } from '../parts/tokens/metadata/reviewed-metadata.ts';
import { submissionsPerClient } from '../parts/tokens/metadata/submit-metadata.ts';
import { findTokenContext, tokenPrefix } from '../parts/tokens/token-context.ts';
import { createTokenPart } from '../parts/tokens/token-part.ts';
import { tokenHashes } from '../parts/tokens/token-tables.ts';
import { followPeers } from './follow-peers.ts';
import type { Ground } from './ground.ts';
import { NODE_TIMEOUT_MS } from './watch-node.ts';
import type { Wired } from './wired.ts';

/** Tokens with their reviewed descriptions and replicas, where the coin has any. */
export function wireTokens(ground: Ground, chain: ChainContext): Wired {
  const { config, profile, node, storage, server } = ground;
  const { readChain, precious } = storage;
  const tokens = findTokenContext(profile);
  if (!tokens) return {};
  const peers = followPeers(ground, {
    protocol: 'tokens',
    singular: 'token',
    path: `${tokenPrefix}/tok`,
    ...tokens.rules,
    hashes: tokenHashes,
  });
  createTokenPart(
    {
      readChain,
      nameSnapshot: ground.nameSnapshot,
      profile,
      tokens,
      findReviewedMetadata: createFindReviewedMetadata(precious),
      estimateFeeRate: (view) => estimateFeeRate(chain, view),
      getRelayRate: () => findRelayRate(chain),
      testTransaction: (rawTxHex) => testMempoolAccept(node.client, rawTxHex, { timeoutMs: NODE_TIMEOUT_MS }),
      judgeIndex: (tipHeight) =>
        judgeHealth({
          node: chain.getNodeState(),
          indexer: chain.findIndexerReport(),
          tipHeight,
          // It has just been read.
          indexAvailable: true,
          readsFail: chain.isIndexDamaged(),
        }),
      listReplicas: peers.list,
    },
    server.routes,
    config.publicUrl,
  ).register(server.app);
  createTokenMetadataPart({
    precious,
    profile,
    publicUrl: config.publicUrl,
    nameClient: storage.nameClient,
    // Who limits no client limits none here.
    submissionsPerClient: config.rateLimitPerMinute === undefined ? undefined : submissionsPerClient,
    findToken: createFindIssuer(readChain),
    now: Date.now,
  }).register(server.app);
  return {
    gauges: listReviewGauges(precious),
    labelled: peers.labelled ?? [],
    close: peers.close!,
  };
}
