import { createAllowList } from '../outbound/allow-list.ts';
import { createPeerClient, type PeerClient } from '../outbound/peer-client.ts';
import { createRegistry } from '../parts/registry/create-registry.ts';
import { registrationsPerDay } from '../parts/registry/registry-bounds.ts';
import { listRegistryGauges } from '../parts/registry/registry-gauges.ts';
import { waitAtMost } from '../pause.ts';
import { serviceVersion } from '../version.ts';
import { type Ground, logFailure } from './ground.ts';
import type { WiredAnchors } from './wire-proofs.ts';
import type { WiredLedger } from './wire-treasury.ts';
import { refuseToStart, STOP_DEADLINE_MS, type Wired } from './wired.ts';

/** The node registry and its prober, and the witness of peers' logs. Settings that it cannot work with end the start. */
export function wireRegistry(ground: Ground, anchors: WiredAnchors, treasury: WiredLedger): Wired {
  const { config, server, storage } = ground;
  const peerClient = createPeerClient([...config.witnessPeers, ...config.witnesses.map(({ url }) => url)]);
  const registry = openRegistry(ground, anchors, { ...treasury, peerClient });
  registry.register(server.app, server.routes);
  return {
    finish: () => waitAtMost(registry.stop(), STOP_DEADLINE_MS),
    close: async () => peerClient.close(),
    gauges: listRegistryGauges(storage.precious, Date.now),
  };
}

function openRegistry(
  ground: Ground,
  { anchorOwn, findProof }: WiredAnchors,
  { peerClient, findLedgerLog }: WiredLedger & { peerClient: PeerClient },
) {
  const { config, profile, node, storage } = ground;
  try {
    return createRegistry({
      precious: storage.precious,
      nameClient: storage.nameClient,
      readChain: storage.readPrimary,
      findProof,
      anchor: anchorOwn,
      witnessPeers: config.witnessPeers,
      witnesses: config.witnesses,
      peerClient,
      findLedgerLog,
      bodies: ground.server.bodies,
      onAlarm: (text) => ground.logger.error(text),
      profile,
      publicUrl: config.publicUrl,
      webhookAllow: createAllowList(config.webhookAllow),
      settings: config.registry,
      dataDir: config.dataDir,
      node: node.state,
      version: serviceVersion,
      // Who limits no client limits none here.
      registrationsPerDay: config.rateLimitPerMinute === undefined ? undefined : registrationsPerDay,
      probes: config.roles.has('worker'),
      onError: logFailure(ground, 'Registered nodes cannot be looked at'),
      now: Date.now,
    });
  } catch (error) {
    return refuseToStart([(error as Error).message]);
  }
}
