import { pino } from 'pino';
import { readConfig } from './config.ts';
import { listGauges } from './gauges.ts';
import { startMetricsServer } from './http/metrics-server.ts';
import { stopServer } from './http/server.ts';
import { createSnapshotNamer } from './http/snapshot.ts';
import { saltOfSnapshots } from './http/snapshot-salt.ts';
import { loadProfile } from './load-profile.ts';
import { serviceVersion } from './version.ts';
import type { Ground } from './wiring/ground.ts';
import { openFront } from './wiring/open-front.ts';
import { openStorage } from './wiring/open-storage.ts';
import { runIndexer } from './wiring/run-indexer.ts';
import { watchNode } from './wiring/watch-node.ts';
import { wireChain } from './wiring/wire-chain.ts';
import { wireMining } from './wiring/wire-mining.ts';
import { wireNames } from './wiring/wire-names.ts';
import { wirePayments } from './wiring/wire-payments.ts';
import { wireProofs } from './wiring/wire-proofs.ts';
import { wireRegistry } from './wiring/wire-registry.ts';
import { wireTokens } from './wiring/wire-tokens.ts';
import { wireTreasury } from './wiring/wire-treasury.ts';
import { refuseToStart, STOP_DEADLINE_MS, type Wired } from './wiring/wired.ts';

/** The composition root: what the service stands on, its parts, and how it begins and ends, from top to bottom. */

/** Time for closing what nobody uses any more; a database that does not answer is left alone then. */
const STOP_GRACE_MS = 2_000;

const settings = readConfig();
if (!settings.ok) refuseToStart(settings.problems);
const config = settings.value;
const loaded = loadProfile(config.coin);
if (!loaded.ok) refuseToStart([loaded.reason]);
const profile = loaded.value;
const logger = pino({ level: config.logLevel });

const parts: Wired[] = [];
const node = await watchNode(config, profile, logger);
const indexer = runIndexer(config, profile, logger, () => {
  for (const part of parts) part.wake?.();
});
const storage = await openStorage(config);
const { server, metrics } = openFront(config, profile, logger);
const ground: Ground = {
  config,
  profile,
  logger,
  node,
  indexer,
  storage,
  server,
  nameSnapshot: createSnapshotNamer(saltOfSnapshots(serviceVersion, profile)),
};

const mining = wireMining(ground);
const chain = wireChain(ground, mining.poolShare);
mining.register();
wireNames(ground, chain);
parts.push(
  mining,
  wireProofs(ground, chain),
  wireTokens(ground, chain),
  wireTreasury(ground, chain),
  wirePayments(ground),
  wireRegistry(ground),
);

if (config.roles.has('api')) {
  const { host, port } = config.listen;
  const address = await server.app
    .listen({ host, port })
    .catch((error: Error) => refuseToStart([`COINFRONT_LISTEN: ${error.message}`]));
  logger.info({ address, coin: profile.id, engine: storage.engine }, 'Serving.');
}
const metricsServer = config.metricsListen
  ? await startMetricsServer({
      listen: config.metricsListen,
      http: metrics,
      gauges: [
        ...listGauges(storage.readChain, node.state.current, () => indexer?.findReport()),
        ...parts.flatMap((part) => part.gauges ?? []),
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
    ...parts.map((part) => part.finish?.()),
  ]);
  await metricsServer?.close();
  await Promise.all([node.close(), ...parts.map((part) => part.close?.())]);
  await storage.close();
}
