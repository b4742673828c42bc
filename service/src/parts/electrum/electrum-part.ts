import type { Logger } from 'pino';
import { type Client, type CountedNetwork, parseClient } from '../../clients/client.ts';
import type { Listen } from '../../config-values.ts';
import type { GaugeSource, LabelledSource } from '../../http/metrics-server.ts';
import { createNetworkCount } from '../../http/network-count.ts';
import type { SpendBudget } from '../../http/rate-limit.ts';
import { createRefusalCounter } from '../../http/refusal-counter.ts';
import { createUnsentBytes } from '../../http/unsent-bytes.ts';
import type { ElectrumContext, ElectrumSources, Ports } from './electrum-context.ts';
import { electrumCosts, electrumLimits } from './electrum-limits.ts';
import { showTip } from './methods/block-methods.ts';
import { createBlockBranches } from './proofs/block-branches.ts';
import { createHeaderProofs } from './proofs/header-proofs.ts';
import { writeError, writeNotification } from './rpc/messages.ts';
import { showName } from './scripts/script-name.ts';
import { createStatusMemory } from './scripts/status-memory.ts';
import { showStatus } from './scripts/status-rules.ts';
import { createCharge } from './session/charge.ts';
import { createKnownLong } from './session/long-reads.ts';
import { type Sessions, serveSessions } from './session/serve-sessions.ts';
import { createIndexFollower } from './subscriptions/index-follower.ts';
import { createScriptWatches, listWatchers } from './subscriptions/script-watches.ts';
import { type BeginHandshake, listenTcp, listenTls } from './wire/listen-lines.ts';
import { listenWebSocket } from './wire/listen-websocket.ts';
import type { WireListener } from './wire/wire.ts';

export type ElectrumOptions = {
  readonly sources: ElectrumSources;
  readonly listen: { tcp: Listen | undefined; tls: Listen | undefined; ws: Listen | undefined };
  readonly files: { certFile: string; keyFile: string } | undefined;
  readonly trustedProxies: readonly string[];
  readonly origins: '*' | readonly string[];
  /** Undefined: no bound counts clients. */
  readonly spend: SpendBudget | undefined;
  readonly unsentBytes: number;
  readonly logger: Logger;
};

/** The Electrum interface: wallets' sessions over TCP, TLS and WebSocket, and what they are told of. */
export type ElectrumPart = {
  readonly listeners: readonly WireListener[];
  /** Begun by listeners, or over any other wire. */
  readonly sessions: Pick<Sessions, 'begin' | 'open'>;
  /** The index may have a new state. */
  wake(): Promise<void>;
  readonly gauges: readonly GaugeSource[];
  readonly labelled: readonly LabelledSource[];
  finish(deadlineMs: number): Promise<void>;
};

/** What is not told by an indexer in this process is found by looking, milliseconds. */
const LOOK_MS = 200;

/**
 * Starts listening.
 *
 * @throws Error of the system where an address cannot be listened on
 */
export async function startElectrum(options: ElectrumOptions): Promise<ElectrumPart> {
  const { sources, listen, files, spend, logger } = options;
  const ports: Ports = {};
  const watches = createScriptWatches(spend !== undefined);
  const refused = createRefusalCounter({
    name: 'coinfront_electrum_sessions_refused_total',
    help: 'Electrum sessions beyond the share of a client or of a network around it, by which one it was.',
  });
  let sessions: Sessions | undefined;
  const isWatched = (): boolean => watches.subscriptions > 0 || hasTipWatcher(sessions);
  const reading = { giveWay: sources.giveWay, memory: createStatusMemory() };
  const follower = createIndexFollower({
    readChain: sources.readChain,
    watches,
    reading,
    isWatched,
    onTip(tip, auxpow, revision) {
      const message = writeNotification('blockchain.headers.subscribe', `[${showTip(tip, auxpow)}]`);
      for (const session of sessions!.open) {
        const told = session.tip;
        if (!told || told.revision > revision || Buffer.compare(told.hash, tip.hash) === 0) continue;
        session.tip = { hash: tip.hash, revision };
        sessions!.send(session, message);
      }
    },
    onStatus(script) {
      const params = `["${showName(script.name)}",${showStatus(script.status)}]`;
      const message = writeNotification('blockchain.scripthash.subscribe', params);
      for (const session of listWatchers(script)) sessions!.send(session, message);
    },
    onTooLarge(script, error) {
      const message = writeError('null', {
        code: error.code,
        message: `${error.message}: ${showName(script.name)} is not watched any more`,
      });
      for (const session of [...listWatchers(script)]) {
        watches.remove(session, script.name);
        sessions!.send(session, message);
      }
    },
    onFailure: (error) =>
      logger.error({ err: error }, 'Electrum sessions are told later; it is tried again.'),
  });
  const context: ElectrumContext = {
    ...sources,
    software: `Coinfront ${sources.version}`,
    charge: createCharge(spend),
    knownLong: createKnownLong(),
    watches,
    memory: reading.memory,
    follower,
    headerProofs: createHeaderProofs(sources.giveWay),
    blockBranches: createBlockBranches(),
    ports,
  };
  const served = serveSessions({
    context,
    unsent: createUnsentBytes(options.unsentBytes, (bytes, unreadMs) =>
      logger.warn({ bytes, unread_ms: Math.round(unreadMs) }, 'Electrum session cut: too much is not read'),
    ),
    boundsClients: spend !== undefined,
    onRefused: refused.count,
    onUnforeseen: (error, method) => logger.error({ err: error, method }, 'Electrum call failed'),
  });
  sessions = served;
  const beginHandshake = boundHandshakes(spend, refused.count);

  const listeners: WireListener[] = [];
  try {
    if (listen.tcp) listeners.push(await listenTcp(listen.tcp, served.begin));
    if (listen.tls && files) listeners.push(await listenTls(listen.tls, files, beginHandshake, served.begin));
    if (listen.ws) {
      const { trustedProxies, origins } = options;
      listeners.push(
        await listenWebSocket(listen.ws, { files, trustedProxies, origins }, beginHandshake, served.begin),
      );
    }
  } catch (error) {
    await Promise.all(listeners.map((each) => each.close()));
    await served.close(0);
    throw error;
  }
  for (const { address, port } of listeners) ports[address.split(':')[0] as keyof Ports] = port;
  const looking = setInterval(() => void follower.look(), LOOK_MS).unref();

  return {
    listeners,
    sessions: served,
    wake: () => follower.look(),
    gauges: [
      { name: 'coinfront_electrum_sessions', help: 'Electrum sessions.', read: () => served.open.size },
      {
        name: 'coinfront_electrum_subscriptions',
        help: 'Scripts that Electrum sessions watch, each as often as it is watched.',
        read: () => watches.subscriptions,
      },
    ],
    labelled: [refused.source, describeCounts(served)],
    async finish(deadlineMs) {
      clearInterval(looking);
      await Promise.all(listeners.map((each) => each.close()));
      await served.close(deadlineMs);
    },
  };
}

function hasTipWatcher(sessions: Sessions | undefined): boolean {
  for (const { tip } of sessions?.open ?? []) if (tip) return true;
  return false;
}

function describeCounts({ counts }: Sessions): LabelledSource {
  return {
    kind: 'counter',
    name: 'coinfront_electrum_total',
    help: 'What Electrum sessions did: calls that were answered, sessions that were cut.',
    label: 'what',
    list: () =>
      new Map([
        ['calls', counts.calls],
        ['cut', counts.cut],
      ]),
  };
}

/** Handshakes take the thread longer than most calls: so many of a client at once, and each is paid for. */
function boundHandshakes(
  spend: SpendBudget | undefined,
  onRefused: (client: Client, full: CountedNetwork) => void,
): BeginHandshake {
  const underWay = createNetworkCount();
  let all = 0;
  return ({ remoteAddress = '' }) => {
    const client = parseClient(remoteAddress);
    const { handshakes } = electrumLimits;
    const full = spend && underWay.findFull(client.networks, handshakes);
    const budget = full ? undefined : spend?.(client, electrumCosts.handshake, Date.now());
    const usedUp = full ?? budget?.usedUp;
    if (usedUp) onRefused(client, usedUp);
    if (usedUp || all >= handshakes.inAll) return undefined;
    underWay.add(client.networks, 1);
    all++;
    return () => {
      underWay.add(client.networks, -1);
      all--;
    };
  };
}
