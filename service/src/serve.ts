import { prepareCurve } from '@coinfront/protocol/secp256k1.ts';
import { listGauges, listPoolGauges, listReplicaGauges } from './gauges.ts';
import { giveBackRoom } from './give-back-room.ts';
import { sampleLabelled } from './http/labelled-samples.ts';
import { type OtherProcess, startMetricsServer } from './http/metrics-server.ts';
import { stopServer } from './http/server.ts';
import { createSnapshotNamer } from './http/snapshot.ts';
import { saltOfSnapshots } from './http/snapshot-salt.ts';
import { serviceVersion } from './version.ts';
import { findParent } from './wiring/cluster/parent-link.ts';
import { explainListen } from './wiring/explain-listen.ts';
import type { Ground } from './wiring/ground.ts';
import { openFront } from './wiring/open-front.ts';
import { openStorage } from './wiring/open-storage.ts';
import { shareSpending } from './wiring/share-spending.ts';
import { tellStarter } from './wiring/tell-starter.ts';
import { wireChain } from './wiring/wire-chain.ts';
import { wireElectrum } from './wiring/wire-electrum.ts';
import { wireMempoolHistory } from './wiring/wire-mempool-history.ts';
import { wireMining } from './wiring/wire-mining.ts';
import { wireNames } from './wiring/wire-names.ts';
import { wirePayments } from './wiring/wire-payments.ts';
import { wireProofs } from './wiring/wire-proofs.ts';
import { wireRates } from './wiring/wire-rates.ts';
import { wireRegistry } from './wiring/wire-registry.ts';
import { wireRichList } from './wiring/wire-rich-list.ts';
import { wireSync } from './wiring/wire-sync.ts';
import { wireTokens } from './wiring/wire-tokens.ts';
import { wireTreasury } from './wiring/wire-treasury.ts';
import { refuseToStart, STOP_DEADLINE_MS, type Wired } from './wiring/wired.ts';

/** Time for closing what nobody uses any more; a database that does not answer is left alone then. */
const STOP_GRACE_MS = 2_000;

/** What runs when the service begins to serve. */
type Beginning = Pick<Ground, 'config' | 'profile' | 'logger' | 'node' | 'indexer'> & {
  /** Filled with the parts as they begin: the indexer's reports wake them. */
  parts: Wired[];
  /** What other processes of the same start have counted. */
  readOthers?: (() => Promise<readonly OtherProcess[]>) | undefined;
};

/**
 * The composition root: what the service stands on, its parts, and how it begins and ends, from top to bottom.
 *
 * @returns ends the service: what is under way is finished; what takes longer than the deadline is cut off, which no commit
 *   minds
 */
export async function serve(beginning: Beginning): Promise<() => Promise<void>> {
  const { parts, readOthers, ...begun } = beginning;
  const { config, profile, logger, node, indexer } = begun;
  const storage = await openStorage(config, profile, logger, indexer);
  const { server, metrics, hasExplorer } = openFront(config, profile, logger);
  prepareCurve();
  const ground: Ground = {
    ...begun,
    storage,
    server,
    hasExplorer,
    nameSnapshot: createSnapshotNamer(saltOfSnapshots(serviceVersion, profile)),
  };

  const mining = wireMining(ground);
  const sync = wireSync(ground);
  const rates = wireRates(ground);
  const history = wireMempoolHistory(ground);
  const richList = wireRichList(ground);
  const chain = wireChain(ground, {
    poolShare: mining.poolShare,
    findSyncProgress: sync.findProgress,
    listCurrencies: rates.listCurrencies,
    readMempoolHistory: history.read,
    readRichList: richList?.read,
  });
  mining.register();
  const proofs = wireProofs(ground, chain);
  const treasury = wireTreasury(ground, chain, proofs);
  parts.push(
    sync,
    history,
    ...(richList === undefined ? [] : [richList]),
    mining,
    wireNames(ground, chain),
    proofs,
    wireTokens(ground, chain),
    treasury,
    rates,
    wirePayments(ground, chain, rates),
    wireRegistry(ground, proofs, treasury),
    shareSpending(ground),
    await wireElectrum(ground, chain),
  );

  const labelled = [
    ...server.refusals,
    ...server.loads,
    ...listReplicaGauges(storage.listReplicas),
    ...listPoolGauges(storage.listPools),
    ...parts.flatMap((part) => part.labelled ?? []),
  ];
  findParent()?.answerMetrics(() => ({
    http: metrics.list(),
    labelled: sampleLabelled(labelled),
    cpuSeconds: process.cpuUsage().user / 1e6 + process.cpuUsage().system / 1e6,
    residentBytes: process.memoryUsage.rss(),
  }));

  let address: string | undefined;
  if (config.roles.has('api')) {
    const { host, port } = config.listen;
    address = await server.app
      .listen({ host, port })
      .catch((error: Error) => refuseToStart([explainListen('COINFRONT_LISTEN', config.listen, error)]));
    logger.info({ address, coin: profile.id, engine: storage.engine }, 'Serving.');
  }
  const { metricsListen } = config;
  const metricsServer = metricsListen
    ? await startMetricsServer({
        listen: metricsListen,
        http: metrics,
        readOthers,
        gauges: [
          ...listGauges(
            storage.readChain,
            node.state.current,
            () => indexer?.findReport(),
            storage.isIndexDamaged,
          ),
          ...parts.flatMap((part) => part.gauges ?? []),
        ],
        labelled,
      }).catch((error: Error) =>
        refuseToStart([explainListen('COINFRONT_METRICS_LISTEN', metricsListen, error)]),
      )
    : undefined;
  if (address !== undefined) tellStarter(address);

  giveBackRoom(() => indexer?.findReport()?.state.kind === 'syncing');

  let isStopping = false;
  return async () => {
    if (isStopping) return;
    isStopping = true;
    setTimeout(() => process.exit(0), STOP_DEADLINE_MS + STOP_GRACE_MS).unref();
    await Promise.all([
      stopServer(server, STOP_DEADLINE_MS),
      indexer?.stop(STOP_DEADLINE_MS),
      ...parts.map((part) => part.finish?.()),
    ]);
    await metricsServer?.close();
    await Promise.all([node.close(), ...parts.map((part) => part.close?.())]);
    await storage.close();
  };
}
