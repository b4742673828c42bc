import { formatAmount } from '@coinfront/protocol/amount.ts';
import type { CoinProfile } from '@coinfront/protocol/profile.ts';
import { estimateFeeInMode } from '../node/fee-estimates.ts';
import { broadcastTransaction } from '../parts/chain/broadcast.ts';
import type { ChainContext } from '../parts/chain/chain-context.ts';
import { type ElectrumPart, startElectrum } from '../parts/electrum/electrum-part.ts';
import { serviceVersion } from '../version.ts';
import { findParent } from './cluster/parent-link.ts';
import { explainListen } from './explain-listen.ts';
import type { Ground } from './ground.ts';
import { createSentNamer } from './name-sent.ts';
import { createPackageSender } from './send-package.ts';
import { refuseToStart, STOP_DEADLINE_MS, type Wired } from './wired.ts';

/** How long an estimate that was asked for in a mode is as good as new, milliseconds, and how many are remembered. */
const ESTIMATE_MS = 10_000;
const ESTIMATES = 100;

/** The Electrum protocol for wallets, where the operator has given it an address. */
export async function wireElectrum(ground: Ground, chain: ChainContext): Promise<Wired> {
  const { config, logger, profile, server } = ground;
  const { tcp, tls, ws } = config.electrum;
  if (!config.roles.has('api') || (!tcp && !tls && !ws)) return {};
  const part = await startElectrum({
    sources: describeSources(ground, chain),
    listen: config.electrum,
    files: config.tls,
    trustedProxies: config.trustedProxies,
    origins: config.corsOrigins,
    spend: server.app.admission.spend,
    unsentBytes: config.unsentMegabytes * 2 ** 20,
    logger,
  }).catch((error: NodeJS.ErrnoException & { port?: number }): ElectrumPart => {
    const settings = [
      ['COINFRONT_ELECTRUM_LISTEN', tcp],
      ['COINFRONT_ELECTRUM_TLS', tls],
      ['COINFRONT_ELECTRUM_WS', ws],
    ] as const;
    const [name, listen] = settings.find(([, each]) => each?.port === error.port) ?? settings[0];
    return refuseToStart([listen ? explainListen(name, listen, error) : error.message]);
  });
  for (const { address } of part.listeners)
    logger.info({ address, coin: profile.id }, 'Serving wallets that speak the Electrum protocol.');
  return {
    wake: () => void part.wake(),
    finish: () => part.finish(STOP_DEADLINE_MS),
    gauges: part.gauges,
    labelled: part.labelled,
  };
}

function describeSources(
  ground: Ground,
  chain: ChainContext,
): Parameters<typeof startElectrum>[0]['sources'] {
  const { config, profile, node, indexer, storage, server } = ground;
  const nameSent = createSentNamer(storage.notify, indexer ?? findParent());
  const sendPackage = createPackageSender(ground, nameSent, chain.waitUntilShown);
  return {
    readChain: storage.readChain,
    profile,
    version: serviceVersion,
    publicHost: config.publicUrl === undefined ? undefined : new URL(config.publicUrl).hostname,
    // PostgreSQL is waited for with every read.
    giveWay: storage.engine === 'sqlite' ? server.app.takeTurn : async () => {},
    takeTurn: server.app.takeTurn,
    enterLarge: ({ wire }) => server.app.largeReads.enter({ ip: wire.address, socket: wire.socket }),
    broadcast: (rawTxHex) => broadcastTransaction(chain, rawTxHex),
    broadcastPackage: async (rawTxHexes) => (await sendPackage(rawTxHexes)).answer,
    readRates() {
      const fees = node.fees.current().value;
      const facts = node.state.current().value;
      return {
        estimates: fees?.estimates ?? new Map(),
        mempoolMinimum: fees?.minimumRate ?? facts?.relayFee,
        relay: facts?.relayFee,
        incremental: facts === undefined ? undefined : (facts.incrementalFee ?? findLeast(profile)),
      };
    },
    estimateInMode: rememberEstimates((target, mode) => estimateFeeInMode(node.client, target, mode)),
  };
}

/** Core's own minimum, 1,000 base units for 1,000 virtual bytes, for nodes that do not say theirs. */
function findLeast({ decimals }: CoinProfile): string {
  return formatAmount(1_000n, decimals);
}

type Estimate = (targetBlocks: number, mode: string) => Promise<string | undefined>;

function rememberEstimates(ask: Estimate): Estimate {
  const known = new Map<string, { untilMs: number; estimate: ReturnType<Estimate> }>();
  return (target, mode) => {
    const name = `${mode} ${target}`;
    const found = known.get(name);
    if (found && found.untilMs > performance.now()) return found.estimate;
    if (known.size >= ESTIMATES) known.clear();
    const estimate = ask(target, mode);
    known.set(name, { untilMs: performance.now() + ESTIMATE_MS, estimate });
    // What failed is asked again.
    estimate.catch(() => known.delete(name));
    return estimate;
  };
}
