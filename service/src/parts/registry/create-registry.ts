/** Puts the registry together: its routes, and in a worker its prober. */

import { existsSync } from 'node:fs';
import { parseAmount } from '@coinfront/protocol/amount.ts';
import type { CoinProfile } from '@coinfront/protocol/profile.ts';
import type { FastifyInstance } from 'fastify';
import type { ReadChain } from '../../chain/chain-view.ts';
import type { NameClient } from '../../clients/client-names.ts';
import type { RegistrySettings } from '../../config.ts';
import type { WitnessSetting } from '../../config-values.ts';
import type { Precious } from '../../db/precious.ts';
import type { RouteList } from '../../http/route-list.ts';
import type { NodeFacts } from '../../node/node-facts.ts';
import { type AllowList, createAllowList } from '../../outbound/allow-list.ts';
import { checkOutboundUrl } from '../../outbound/check-url.ts';
import { createOutboundClient } from '../../outbound/outbound-client.ts';
import { createPeerClient } from '../../outbound/peer-client.ts';
import { createNameServers, type NameServers } from '../../outbound/resolve-host.ts';
import type { Poller } from '../../poll.ts';
import { epochBlocksOf } from '../../signed-log/epoch-blocks.ts';
import { openServiceKey, type ServiceSigner, serviceKeyFile } from '../../signing/service-key.ts';
import { startAlertSender } from './alerts/deliver-alerts.ts';
import { readAsTable } from './as-table/read-as-table.ts';
import { type WatchLogOptions, watchLog } from './log/watch-log.ts';
import { createOwnChain } from './probing/own-chain.ts';
import { type Prober, startProber } from './probing/prober.ts';
import type { RegistryContext, RegistryRules } from './registry-context.ts';
import { createRegistryPart } from './registry-part.ts';
import { startVantage } from './vantage/vantage.ts';
import { PEER_LIMITS } from './vantage/vantage-bounds.ts';

/** Alerts that are under way may end until then. */
const ALERT_DEADLINE_MS = 2_000;

export type RegistryOptions = {
  precious: Precious;
  readChain: ReadChain;
  profile: CoinProfile;
  publicUrl: string | undefined;
  settings: RegistrySettings;
  dataDir: string;
  node: Pick<Poller<NodeFacts>, 'current' | 'refresh'>;
  version: string;
  /** Whether this process looks at nodes. */
  probes: boolean;
  nameClient: NameClient;
  findProof: RegistryContext['findProof'];
  /** Has the log anchored and witnessed. */
  anchor: WatchLogOptions['anchor'];
  witnessPeers: readonly string[];
  /** Witnesses that only cosign. */
  witnesses: readonly WitnessSetting[];
  peerClient: WatchLogOptions['peerClient'];
  findLedgerLog: WatchLogOptions['findLedgerLog'];
  onAlarm: (text: string) => void;
  bodies: RegistryContext['bodies'];
  /** Nodes that one client registers a day; undefined means no limit. */
  registrationsPerDay: number | undefined;
  onError: (error: unknown) => void;
  now: () => number;
  /** What alerts may be sent to besides the public internet. */
  webhookAllow: AllowList;
  /** Those of the system unless given. */
  nameServers?: NameServers;
};

/**
 * Creates the registry.
 *
 * @throws Error, with what to do, when its key or a setting cannot be used
 */
export function createRegistry(options: RegistryOptions): {
  register(app: FastifyInstance, routes: RouteList): void;
  stop(): Promise<void>;
} {
  const { precious, readChain, profile, publicUrl, settings, nameClient, registrationsPerDay, now } = options;
  const rules = readRules(settings, profile);
  const nameServers = options.nameServers ?? createNameServers();
  const keyFile = serviceKeyFile(options.dataDir, settings.keyFile);
  // Who never opened the registry has no key, and nothing to look at.
  const isOpen = publicUrl !== undefined && publicUrl !== '';
  const isUsed = isOpen || existsSync(keyFile);
  const signer = options.probes && isUsed ? openServiceKey(keyFile) : undefined;
  const context: RegistryContext = {
    ...{ precious, readChain, profile, publicUrl, rules },
    resolve: nameServers.resolve,
    checkAlertUrl: (url) => checkOutboundUrl(url, options.webhookAllow),
    ...{ nameClient, registrationsPerDay, now, findProof: options.findProof, bodies: options.bodies },
    findSigner: rememberKey(keyFile, signer),
  };
  const vantageClient = createPeerClient(
    rules.vantages.map(({ url }) => url),
    PEER_LIMITS,
  );
  const vantage =
    signer !== undefined && rules.vantages.length > 0
      ? startVantage({
          ...{ peers: rules.vantages, precious, signer, genesisHash: profile.genesisHash, rules, now },
          ...{ client: vantageClient, onAlarm: options.onAlarm },
        })
      : undefined;
  const prober: Prober | undefined =
    signer !== undefined
      ? startProber({
          precious,
          profile,
          rules,
          signer,
          isOpen,
          chain: createOwnChain({ readChain, node: options.node, profile, now }),
          connections: settings.connections,
          userAgent: `/Coinfront:${options.version}(node registry)/`,
          onError: options.onError,
          ...{ nameServers, vantage, now },
        })
      : undefined;
  const outbound = createOutboundClient({ allow: options.webhookAllow });
  const alertSender = options.probes
    ? startAlertSender({
        precious,
        post: outbound.post,
        userAgent: `Coinfront/${options.version}`,
        onError: options.onError,
        now,
      })
    : undefined;
  const watch =
    signer &&
    watchLog({
      ...{
        precious,
        signer,
        anchor: options.anchor,
        onError: options.onError,
        onAlarm: options.onAlarm,
        now,
      },
      ...{ witnessPeers: options.witnessPeers, witnesses: options.witnesses, peerClient: options.peerClient },
      findLedgerLog: options.findLedgerLog,
    });
  return {
    register: (app, routes) => createRegistryPart(context, routes).register(app),
    stop: async () => {
      vantageClient.close();
      const ending = [prober?.stop(), vantage?.stop(), watch?.stop(), alertSender?.stop(ALERT_DEADLINE_MS)];
      await Promise.all(ending);
      outbound.close();
    },
  };
}

function readRules(settings: RegistrySettings, profile: CoinProfile): RegistryRules {
  const { decimals, p2pPort } = profile;
  const reward = settings.reward === undefined ? undefined : parseAmount(settings.reward, decimals);
  if (reward?.ok === false) throw new Error(`COINFRONT_REGISTRY_REWARD: ${reward.reason}.`);
  return {
    slotMs: settings.slotSeconds * 1000,
    epochBlocks: epochBlocksOf(settings.epochBlocks, profile),
    ports: settings.ports?.length === 0 ? 'any' : (settings.ports ?? [p2pPort]),
    allow: createAllowList(settings.allow),
    socks: settings.socks,
    asTable: settings.asTable === undefined ? undefined : readAsTable(settings.asTable),
    reward: reward?.value,
    requireProof: settings.endpointProof === 'required',
    vantages: settings.vantages,
  };
}

/** A process that only answers has the key once a worker beside it has made one. */
function rememberKey(keyFile: string, opened: ServiceSigner | undefined): () => ServiceSigner | undefined {
  let signer = opened;
  return () => {
    if (signer === undefined && existsSync(keyFile)) signer = openServiceKey(keyFile);
    return signer;
  };
}
