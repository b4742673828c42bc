import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { bytesToHex } from '@coinfront/protocol/bytes.ts';
import { findPrivateKey } from '@coinfront/protocol/private-key.ts';
import { pino } from 'pino';
import type { ChainView } from './chain/chain-view.ts';
import { createReadChain } from './chain/read-chain.ts';
import { readConfig } from './config.ts';
import { openDatabase } from './db/open.ts';
import { openPrecious } from './db/precious.ts';
import { listGauges } from './gauges.ts';
import { createHttpMetrics } from './http/http-metrics.ts';
import { startMetricsServer } from './http/metrics-server.ts';
import { createServer, stopServer } from './http/server.ts';
import { createSnapshotNamer } from './http/snapshot.ts';
import type { FollowReport } from './indexer/follow.ts';
import { loadProfile } from './load-profile.ts';
import { preciousMigrations } from './migrations.ts';
import { createAnchorWallet, walletUrl } from './node/anchor-wallet.ts';
import { sendRawTransaction, testMempoolAccept } from './node/broadcast.ts';
import { fetchNodeFees } from './node/fee-estimates.ts';
import { isNodeError } from './node/node-error.ts';
import { checkNode } from './node/node-facts.ts';
import { createNodeClient } from './node/rpc-client.ts';
import { createAllowList } from './outbound/allow-list.ts';
import { checkOutboundUrl } from './outbound/check-url.ts';
import { createOutboundClient } from './outbound/outbound-client.ts';
import { createPeerClient } from './outbound/peer-client.ts';
import { broadcastTransaction } from './parts/chain/broadcast.ts';
import type { ChainContext } from './parts/chain/chain-context.ts';
import { createChainPart } from './parts/chain/chain-part.ts';
import { estimateFeeRate, estimateFeesFor, findRelayRate } from './parts/chain/fee-routes.ts';
import { createReleaseReader } from './parts/chain/releases.ts';
import { createEsploraPart } from './parts/esplora/esplora-part.ts';
import { createExplorerPart } from './parts/explorer/explorer-part.ts';
import { startPoolBlockFollower } from './parts/mining/follow-pool-blocks.ts';
import type { MiningContext } from './parts/mining/mining-context.ts';
import { createMiningPart } from './parts/mining/mining-part.ts';
import { openPoolSource } from './parts/mining/open-source.ts';
import { createPoolShare } from './parts/mining/pool-share.ts';
import { chainOnly, watchPool } from './parts/mining/watch-pool.ts';
import { createNamePart } from './parts/names/name-part.ts';
import { createNameResolver, findNameHits } from './parts/names/resolve-name.ts';
import { startDeliverer } from './parts/payments/deliver-webhooks.ts';
import { startPaymentFollower } from './parts/payments/follow-payments.ts';
import type { PaymentRouteContext } from './parts/payments/payment-context.ts';
import { listPaymentGauges } from './parts/payments/payment-gauges.ts';
import { createPaymentPart } from './parts/payments/payment-part.ts';
import { retireAddress } from './parts/payments/pool-store.ts';
import { openAnchorer } from './parts/proofs/anchorer.ts';
import { findProofHits } from './parts/proofs/find-proof-hits.ts';
import { createProofPart } from './parts/proofs/proof-part.ts';
import { createRegistry } from './parts/registry/create-registry.ts';
import { listRegistryGauges } from './parts/registry/registry-gauges.ts';
import { findTokenHits } from './parts/tokens/find-token-hits.ts';
import { followReplicas } from './parts/tokens/follow-replicas.ts';
import { createFindIssuer } from './parts/tokens/metadata/find-issuer.ts';
import { createTokenMetadataPart } from './parts/tokens/metadata/metadata-part.ts';
import { createFindReviewedMetadata } from './parts/tokens/metadata/reviewed-metadata.ts';
import { findTokenContext } from './parts/tokens/token-context.ts';
import { createTokenPart } from './parts/tokens/token-part.ts';
import { startTreasuryFollower } from './parts/treasury/follow-treasury.ts';
import { listTreasuryGauges } from './parts/treasury/treasury-gauges.ts';
import { createTreasuryPart } from './parts/treasury/treasury-part.ts';
import { startPoller } from './poll.ts';
import { startIndexer } from './start-indexer.ts';
import { serviceVersion } from './version.ts';

/** The composition root: everything is made and joined here, from top to bottom. */

const NODE_POLL_MS = 2_000;
const FEE_POLL_MS = 10_000;
/** A node that takes longer to describe itself counts as not answering. */
const NODE_TIMEOUT_MS = 8_000;
/** Longest wait at start, which is only to refuse a node of another chain; it is found out later as well. */
const START_TIMEOUT_MS = 3_000;
const ANCHOR_CHECK_MS = 15_000;
const STOP_DEADLINE_MS = 10_000;
/** Time for closing what nobody uses any more; a database that does not answer is left alone then. */
const STOP_GRACE_MS = 2_000;

/** The node was exchanged for one of another chain while the service runs. */
class OtherChainError extends Error {}

const settings = readConfig();
if (!settings.ok) refuseToStart(settings.problems);
const config = settings.value;
const loaded = loadProfile(config.coin);
if (!loaded.ok) refuseToStart([loaded.reason]);
const profile = loaded.value;
const logger = pino({ level: config.logLevel });

const node = createNodeClient({ url: config.nodeUrl, cookieFile: config.nodeCookieFile });
const check = await checkNode(node, profile, { timeoutMs: START_TIMEOUT_MS }).catch((error: Error) => error);
if (check instanceof Error) {
  logger.warn(`The node cannot be asked yet; serving what is indexed until it can. ${check.message}`);
} else if (!check.ok) refuseToStart([check.reason]);

const nodeState = startPoller({
  read: async (signal) => {
    const now = await checkNode(node, profile, { signal, timeoutMs: NODE_TIMEOUT_MS });
    if (!now.ok) throw new OtherChainError(now.reason);
    return now.facts;
  },
  intervalMs: NODE_POLL_MS,
  describeError: describeNodeError,
});
const feeState = startPoller({
  read: (signal) => {
    if (nodeState.current().error === 'other_chain') throw new OtherChainError();
    return fetchNodeFees(node, signal);
  },
  intervalMs: FEE_POLL_MS,
  describeError: describeNodeError,
});

const database = config.databaseUrl
  ? ({ kind: 'postgres', url: config.databaseUrl } as const)
  : ({ kind: 'sqlite', file: join(config.dataDir, 'chain.db') } as const);
/** Set once there are followers, which are made long after the index reports. */
let wakeFollowers = (): void => {};
const indexer = config.roles.has('indexer')
  ? startIndexer(
      {
        nodeUrl: config.nodeUrl,
        cookieFile: config.nodeCookieFile,
        database,
        profile,
        horizonBlocks: config.reorgHorizon,
        cacheMb: config.cacheMegabytes,
      },
      {
        onCrash: (error) =>
          logger.error({ err: error }, 'The indexer ended by an error and is started again.'),
        onStandby: () => logger.info('Another process indexes; this one stands by.'),
        onChange: (report) => logIndexer(report),
        onReport: () => wakeFollowers(),
      },
    )
  : undefined;
const db = await openDatabase(database).catch((error: Error) =>
  refuseToStart([`The database cannot be opened: ${error.message}`]),
);
const readChain = createReadChain(db);
const precious = await openPrecious(
  config.databaseUrl ? database : { kind: 'sqlite', file: join(config.dataDir, 'front.db') },
  preciousMigrations,
).catch((error: Error) => refuseToStart([error.message]));

const metrics = createHttpMetrics();
const explorer = createExplorerPart({
  distDir: join(import.meta.dirname, '..', '..', 'explorer', 'dist'),
  coin: profile,
  publicUrl: config.publicUrl,
});
const findKey = (text: string): string | undefined => findPrivateKey(text, profile);
const server = createServer({
  logger,
  metrics,
  findPrivateKey: findKey,
  corsOrigins: config.corsOrigins,
  rateLimitPerMinute: config.rateLimitPerMinute,
  trustedProxies: config.trustedProxies,
  tls: config.tls,
  publicUrl: config.publicUrl,
  keptBodiesLength: config.bodyCacheMegabytes * 2 ** 20,
  renderError: explorer.renderError,
});
explorer.register(server.app);
const readDependencies = { readChain, nameSnapshot: createSnapshotNamer(`${serviceVersion}-${profile.id}`) };
// Only processes that answer requests read pools.
const isApi = config.roles.has('api');
const mining: MiningContext = {
  ...readDependencies,
  profile,
  pool: profile.pool,
  precious,
  main: config.poolSource && isApi ? watchPool(openPoolSource(config.poolSource), Date.now) : chainOnly,
  others: new Map(
    (isApi ? config.otherPools : []).map(({ name, source }) => [
      name,
      watchPool(openPoolSource(source), Date.now),
    ]),
  ),
  now: Date.now,
};
const chain: ChainContext = {
  ...readDependencies,
  profile,
  version: serviceVersion,
  getNodeState: nodeState.current,
  findIndexerReport: () => indexer?.findReport(),
  getFeeState: feeState.current,
  broadcast: (rawTxHex, txid) => sendRawTransaction(node, rawTxHex, txid),
  readReleases: createReleaseReader(config.releasesFile ?? profile.releasesManifest, (problem) =>
    logger.warn(problem),
  ),
  rateLimitPerMinute: config.rateLimitPerMinute,
  searches: [
    findProofHits(profile.proofs),
    findNameHits(profile),
    ...(profile.tokens ? [findTokenHits] : []),
  ],
  poolShare: createPoolShare(mining),
};
createChainPart(chain, server.routes, config.publicUrl).register(server.app);
createMiningPart(mining).register(server.app);
const poolBlockFollower =
  config.roles.has('worker') && profile.pool
    ? startPoolBlockFollower({
        precious,
        readChain,
        now: Date.now,
        horizonBlocks: config.reorgHorizon,
        onError: (error) =>
          logger.error({ err: error }, 'Blocks of the pool cannot be followed; it is tried again.'),
      })
    : undefined;
createEsploraPart(
  {
    readChain,
    nameSnapshot: chain.nameSnapshot,
    profile,
    keys: server.keys,
    broadcast: async (rawTxHex) => (await broadcastTransaction(chain, rawTxHex)).txid,
    estimateFees: (targets, histogram) => estimateFeesFor(chain, targets, histogram),
  },
  server.routes,
  config.publicUrl,
).register(server.app);

const anchorNode =
  config.anchor &&
  createNodeClient({
    url: walletUrl(config.nodeUrl, config.anchor.wallet),
    cookieFile: config.nodeCookieFile,
  });
const anchorer =
  config.anchor &&
  anchorNode &&
  openAnchorer({
    ...config.anchor,
    precious,
    readChain,
    rules: profile.proofs,
    wallet: createAnchorWallet(anchorNode, { maxFee: config.anchor.maxFee, decimals: profile.decimals }),
    broadcast: chain.broadcast,
    now: Date.now,
    keepSendingEveryMs: config.roles.has('worker') ? ANCHOR_CHECK_MS : undefined,
  });
createProofPart(
  { readChain, nameSnapshot: chain.nameSnapshot, rules: profile.proofs, anchorer },
  server.routes,
  config.publicUrl,
).register(server.app);

const tokens = findTokenContext(profile);
const peerClient = createPeerClient(config.tokenPeers);
const replicas =
  tokens &&
  followReplicas({
    peers: config.roles.has('api') ? config.tokenPeers : [],
    genesisHash: profile.genesisHash,
    marker: bytesToHex(tokens.rules.marker),
    activationHeight: tokens.rules.activationHeight,
    readChain,
    fetchText: peerClient.fetchText,
    now: Date.now,
  });
if (tokens) {
  createTokenPart(
    {
      readChain,
      nameSnapshot: chain.nameSnapshot,
      profile,
      tokens,
      findReviewedMetadata: createFindReviewedMetadata(precious),
      estimateFeeRate: (view) => estimateFeeRate(chain, view),
      getRelayRate: () => findRelayRate(chain),
      testTransaction: (rawTxHex) => testMempoolAccept(node, rawTxHex, { timeoutMs: NODE_TIMEOUT_MS }),
      listReplicas: () => replicas?.list() ?? [],
    },
    server.routes,
    config.publicUrl,
  ).register(server.app);
  createTokenMetadataPart({
    precious,
    profile,
    publicUrl: config.publicUrl,
    findToken: createFindIssuer(readChain),
    now: Date.now,
  }).register(server.app);
}
createNamePart(
  {
    readChain,
    nameSnapshot: chain.nameSnapshot,
    profile,
    estimateFeeRate: (view) => estimateFeeRate(chain, view),
    getRelayRate: () => findRelayRate(chain),
  },
  server.routes,
  config.publicUrl,
).register(server.app);

const treasury = {
  precious,
  readChain,
  profile,
  now: Date.now,
  findNodeHeight: () => nodeState.current().value?.headers,
  estimateFeeRate: (view: ChainView) => estimateFeeRate(chain, view),
  getRelayRate: () => findRelayRate(chain),
};
createTreasuryPart(treasury, server.routes, config.publicUrl).register(server.app);
const treasuryFollower =
  config.roles.has('worker') && profile.treasury
    ? startTreasuryFollower(
        { ...treasury, treasury: profile.treasury },
        {
          onError: (error) =>
            logger.error({ err: error }, 'The treasury cannot be followed at the moment; it is tried again.'),
        },
      )
    : undefined;

const webhookAllow = createAllowList(config.webhookAllow);
const outbound = createOutboundClient({ allow: webhookAllow });
const deliverer = config.roles.has('worker')
  ? startDeliverer(
      {
        precious,
        now: Date.now,
        post: outbound.post,
        onError: (error) => logger.error({ err: error }, 'Webhooks cannot be delivered; it is tried again.'),
      },
      { userAgent: `Coinfront/${serviceVersion}` },
    )
  : undefined;
const resolveName = createNameResolver(readChain, profile, Date.now);
const payments: PaymentRouteContext = {
  precious,
  profile,
  publicUrl: config.publicUrl ?? '',
  now: Date.now,
  onEvent: () => deliverer?.wake(),
  onDue: () => follower?.wake(),
  readChain,
  checkWebhookUrl: (url) => checkOutboundUrl(url, webhookAllow),
  ...(resolveName === undefined ? {} : { resolveName }),
};
createPaymentPart(payments).register(server.app);
const follower = config.roles.has('worker')
  ? startPaymentFollower(payments, {
      retireAddress,
      onError: (error) =>
        logger.error({ err: error }, 'Payments cannot be judged at the moment; it is tried again.'),
    })
  : undefined;
wakeFollowers = () => {
  follower?.wake();
  treasuryFollower?.wake();
};

const registry = openRegistry();
registry.register(server.app, server.routes);

if (config.roles.has('api')) {
  const { host, port } = config.listen;
  const address = await server.app
    .listen({ host, port })
    .catch((error: Error) => refuseToStart([`COINFRONT_LISTEN: ${error.message}`]));
  logger.info({ address, coin: profile.id, engine: db.engine }, 'Serving.');
}
const metricsServer = config.metricsListen
  ? await startMetricsServer({
      listen: config.metricsListen,
      http: metrics,
      gauges: [
        ...listGauges(readChain, nodeState.current),
        ...listPaymentGauges(precious, readChain),
        ...listTreasuryGauges(precious, readChain, profile),
        ...listRegistryGauges(precious, Date.now),
      ],
    }).catch((error: Error) => refuseToStart([`COINFRONT_METRICS_LISTEN: ${error.message}`]))
  : undefined;

let isStopping = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop());

/** What is under way is finished; what takes longer than the deadline is cut off, which no commit minds. */
async function stop(): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  setTimeout(() => process.exit(0), STOP_DEADLINE_MS + STOP_GRACE_MS).unref();
  await Promise.all([
    stopServer(server, STOP_DEADLINE_MS),
    indexer?.stop(STOP_DEADLINE_MS),
    withDeadline(follower?.stop(), STOP_DEADLINE_MS),
    withDeadline(poolBlockFollower?.stop(), STOP_DEADLINE_MS),
    withDeadline(treasuryFollower?.stop(), STOP_DEADLINE_MS),
    withDeadline(registry.stop(), STOP_DEADLINE_MS),
    ...[mining.main, ...mining.others.values()].map((watch) => withDeadline(watch.stop(), STOP_DEADLINE_MS)),
    deliverer?.stop(STOP_DEADLINE_MS),
  ]);
  outbound.close();
  peerClient.close();
  await metricsServer?.close();
  // A node that does not answer must not hold up the end: its sockets go before who waits for them.
  await Promise.all([
    node.close(),
    anchorNode?.close(),
    nodeState.stop(),
    feeState.stop(),
    anchorer?.stop(),
    replicas?.stop(),
  ]);
  await Promise.all([db.close(), precious.close()]);
}

/** Waits for something to end, and no longer than that. */
async function withDeadline(ending: Promise<void> | undefined, deadlineMs: number): Promise<void> {
  const deadline = new AbortController();
  await Promise.race([ending, delay(deadlineMs, undefined, { signal: deadline.signal }).catch(() => {})]);
  deadline.abort();
}

function logIndexer({ state, height, nodeHeight }: FollowReport): void {
  const about = { ...state, height, nodeHeight };
  if (['starting', 'syncing', 'ready'].includes(state.kind))
    logger.info(about, 'The indexer has a new state.');
  else logger.warn(about, 'The indexer cannot go on; it tries again.');
}

function describeNodeError(error: unknown): string {
  if (error instanceof OtherChainError) return 'other_chain';
  return isNodeError(error) ? error.kind : 'invalid_answer';
}

function openRegistry() {
  try {
    return createRegistry({
      precious,
      readChain,
      profile,
      publicUrl: config.publicUrl,
      settings: config.registry,
      dataDir: config.dataDir,
      node: nodeState,
      version: serviceVersion,
      probes: config.roles.has('worker'),
      onError: (error) =>
        logger.error({ err: error }, 'Registered nodes cannot be looked at; it is tried again.'),
      now: Date.now,
    });
  } catch (error) {
    return refuseToStart([(error as Error).message]);
  }
}

function refuseToStart(problems: readonly string[]): never {
  for (const problem of problems) console.error(problem);
  process.exit(1);
}
