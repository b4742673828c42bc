/** The OpenAPI documents of all parts, without a node or a database: only the routes are registered. */

import { getShippedProfile } from '@coinfront/protocol/shipped-profiles.ts';
import pino from 'pino';
import { createHttpMetrics } from './http/http-metrics.ts';
import type { DocumentName } from './http/operation.ts';
import { createServer, type HttpServer } from './http/server.ts';
import { createSnapshotNamer } from './http/snapshot.ts';
import { createAllowList } from './outbound/allow-list.ts';
import { buildChainDocument, chainApiVersion, createChainPart } from './parts/chain/chain-part.ts';
import { buildEsploraDocument, createEsploraPart } from './parts/esplora/esplora-part.ts';
import { createMiningPart } from './parts/mining/mining-part.ts';
import { chainOnly } from './parts/mining/watch-pool.ts';
import { buildNameDocument, createNamePart } from './parts/names/name-part.ts';
import { createPaymentPart } from './parts/payments/payment-part.ts';
import { buildProofDocument, createProofPart } from './parts/proofs/proof-part.ts';
import { buildNodeDocument, createRegistryPart } from './parts/registry/registry-part.ts';
import { createTokenMetadataPart } from './parts/tokens/metadata/metadata-part.ts';
import { findTokenContext } from './parts/tokens/token-context.ts';
import { buildTokenDocument } from './parts/tokens/token-document.ts';
import { createTokenPart } from './parts/tokens/token-part.ts';
import { buildTreasuryDocument } from './parts/treasury/treasury-document.ts';
import { createTreasuryPart } from './parts/treasury/treasury-part.ts';

/** Builds each document by its name. Server addresses are relative: an operator's own come from its settings. */
export async function buildDocuments(): Promise<Record<DocumentName, Record<string, unknown>>> {
  const server = createServer({
    logger: pino({ level: 'silent' }),
    metrics: createHttpMetrics(),
    findPrivateKey: () => undefined,
    corsOrigins: '*',
    rateLimitPerMinute: undefined,
    trustedProxies: [],
  });
  const { app, routes } = server;
  registerEveryPart(server, () => {
    throw new Error('no request is answered here');
  });
  await app.ready();
  const documents = {
    chain: buildChainDocument(routes, chainApiVersion),
    esplora: buildEsploraDocument(routes),
    names: buildNameDocument(routes),
    nodes: buildNodeDocument(routes),
    proofs: buildProofDocument(routes),
    tokens: buildTokenDocument(routes),
    treasury: buildTreasuryDocument(routes),
  };
  await app.close();
  return documents;
}

/** Registers the routes of every part with nothing behind them: a handler that asks for anything calls `unused`. */
export function registerEveryPart({ app, routes, bodies }: HttpServer, unused: () => never): void {
  const shared = {
    profile: getShippedProfile('bitcoin'),
    readChain: unused,
    nameSnapshot: createSnapshotNamer(''),
    broadcast: unused,
  };
  createChainPart(
    {
      ...shared,
      version: '',
      getNodeState: unused,
      listRefusedMethods: unused,
      waitUntilShown: unused,
      findIndexerReport: unused,
      findSyncProgress: unused,
      isIndexDamaged: unused,
      getFeeState: unused,
      readReleases: unused,
      rateLimitPerMinute: undefined,
      paymentWaitSeconds: 0,
      readMempoolHistory: unused,
      searches: [],
      suggestions: [],
    },
    routes,
  ).register(app);
  const precious = {
    engine: 'sqlite',
    query: unused,
    transaction: unused,
    read: unused,
    close: unused,
  } as const;
  createMiningPart({
    ...shared,
    pool: undefined,
    precious,
    main: chainOnly,
    others: new Map(),
    now: unused,
  }).register(app);
  createPaymentPart({
    ...shared,
    precious,
    publicUrl: '',
    now: unused,
    onEvent: unused,
    onDue: unused,
    checkWebhookUrl: unused,
    isOpenedHost: unused,
    hasExplorer: false,
    estimateFeeRate: unused,
    getRelayRate: unused,
    bodies,
    waitMs: 0,
  }).register(app);
  createProofPart(
    {
      ...shared,
      rules: shared.profile.proofs,
      genesisHash: '',
      rulesId: '',
      listReplicas: unused,
      anchorer: undefined,
      calendar: undefined,
      calendarUri: undefined,
      bodies,
      findLeaf: unused,
    },
    routes,
  ).register(app);
  createTokenPart(
    {
      ...shared,
      tokens: findTokenContext(getShippedProfile('regtest'))!,
      findReviewedMetadata: unused,
      estimateFeeRate: unused,
      getRelayRate: unused,
      testTransaction: unused,
      judgeIndex: unused,
      listReplicas: unused,
    },
    routes,
  ).register(app);
  createTokenMetadataPart({
    ...shared,
    precious,
    publicUrl: '',
    findToken: unused,
    nameClient: unused,
    submissionsPerClient: undefined,
    now: unused,
  }).register(app);
  createNamePart(
    {
      ...shared,
      // The first of the shipped coins that has a registry.
      profile: getShippedProfile('regtest'),
      listReplicas: unused,
      precious,
      now: unused,
      estimateFeeRate: unused,
      getRelayRate: unused,
    },
    routes,
  ).register(app);
  createTreasuryPart(
    {
      ...shared,
      profile: getShippedProfile('regtest'),
      precious,
      now: unused,
      findNodeHeight: unused,
      isNodeAvailable: unused,
      nameClient: unused,
      perClient: undefined,
      epochBlocks: 0,
      estimateFeeRate: unused,
      getRelayRate: unused,
    },
    routes,
  ).register(app);
  createRegistryPart(
    {
      ...shared,
      precious,
      publicUrl: undefined,
      nameClient: unused,
      registrationsPerDay: undefined,
      findProof: unused,
      bodies,
      findSigner: unused,
      resolve: unused,
      checkAlertUrl: unused,
      rules: {
        slotMs: 0,
        epochBlocks: 1,
        ports: 'any',
        allow: createAllowList([]),
        socks: undefined,
        asTable: undefined,
        vantages: [],
        reward: undefined,
        requireProof: false,
      },
      now: unused,
    },
    routes,
  ).register(app);
  createEsploraPart(
    { ...shared, bodies, sendPackage: unused, estimateFees: unused, findMinimumRate: unused },
    routes,
  ).register(app);
}
