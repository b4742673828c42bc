import { isInMempool, sendRawTransaction } from '../node/broadcast.ts';
import { findBestBlock } from '../node/node-facts.ts';
import { broadcastTransaction } from '../parts/chain/broadcast.ts';
import type { ChainContext } from '../parts/chain/chain-context.ts';
import { createChainPart } from '../parts/chain/chain-part.ts';
import { estimateFeesFor, findMinimumRate } from '../parts/chain/fee-routes.ts';
import { findLag, readyLag } from '../parts/chain/health-rules.ts';
import { createReleaseReader } from '../parts/chain/releases.ts';
import { createShownWatch } from '../parts/chain/shown-watch.ts';
import { createEsploraPart } from '../parts/esplora/esplora-part.ts';
import { findNameHits } from '../parts/names/resolve-name.ts';
import { suggestNames } from '../parts/names/suggest-names.ts';
import { findPaymentHits } from '../parts/payments/requests/find-payment-hits.ts';
import { findProofHits } from '../parts/proofs/find-proof-hits.ts';
import { findTokenHits, suggestTokens } from '../parts/tokens/find-token-hits.ts';
import { serviceVersion } from '../version.ts';
import { findParent } from './cluster/parent-link.ts';
import type { Ground } from './ground.ts';
import { createSentNamer } from './name-sent.ts';
import { createPackageSender } from './send-package.ts';

/** The chain API and the Esplora API. @returns the context, whose fees and broadcast other parts use */
export function wireChain(
  ground: Ground,
  from: Pick<
    ChainContext,
    'poolShare' | 'findSyncProgress' | 'listCurrencies' | 'readMempoolHistory' | 'readRichList'
  >,
): ChainContext {
  const { config, profile, logger, node, indexer, storage, server } = ground;
  const nameSent = createSentNamer(storage.notify, indexer ?? findParent());
  const chain: ChainContext = {
    readChain: storage.readChain,
    nameSnapshot: ground.nameSnapshot,
    profile,
    version: serviceVersion,
    getNodeState: node.state.current,
    findIndexerReport: () => indexer?.findReport(),
    isIndexDamaged: storage.isIndexDamaged,
    getFeeState: node.fees.current,
    listRefusedMethods: node.methods.list,
    async broadcast(rawTxHex, txid) {
      const asksMempool = !node.methods.isRefused('getmempoolentry');
      const sent = await sendRawTransaction(node.client, rawTxHex, txid, { asksMempool });
      if (sent.ok) nameSent(txid);
      return sent;
    },
    waitUntilShown: createShownWatch({
      readChain: storage.readChain,
      isInStep: ({ tip }) => {
        if (tip === undefined) return false;
        const lag = findLag(node.state.current(), indexer?.findReport(), tip.height);
        // Not known while a look at the node's state has failed; it has just taken a transaction all the same.
        return lag === undefined || lag <= readyLag;
      },
      isInMempool: async (txid) =>
        node.methods.isRefused('getmempoolentry')
          ? undefined
          : await isInMempool(node.client, txid).catch(() => undefined),
      findNodeTip: () => findBestBlock(node.client).catch(() => undefined),
    }),
    readReleases: createReleaseReader(config.releasesFile ?? profile.releasesManifest, (problem) =>
      logger.warn(problem),
    ),
    rateLimitPerMinute: config.rateLimitPerMinute,
    paymentWaitSeconds: config.paymentWaitSeconds,
    searches: [
      findProofHits(profile.proofs),
      findNameHits(profile),
      ...(profile.tokens ? [findTokenHits] : []),
      findPaymentHits(storage.precious),
    ],
    suggestions: [suggestNames(profile), ...(profile.tokens ? [suggestTokens] : [])],
    ...from,
  };
  createChainPart(chain, server.routes, config.publicUrl).register(server.app);
  createEsploraPart(
    {
      readChain: storage.readChain,
      nameSnapshot: ground.nameSnapshot,
      profile,
      bodies: server.bodies,
      broadcast: (rawTxHex) => broadcastTransaction(chain, rawTxHex),
      sendPackage: createPackageSender(ground, nameSent, chain.waitUntilShown),
      estimateFees: (targets, histogram) => estimateFeesFor(chain, targets, histogram),
      findMinimumRate: () => findMinimumRate(chain),
    },
    server.routes,
    config.publicUrl,
  ).register(server.app);
  return chain;
}
