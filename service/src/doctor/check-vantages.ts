/** The vantage points of the node registry: whether each is who it is named as, and looks in the same slots. */

import type { CoinProfile } from '@coinfront/protocol/profile.ts';
import type { Config } from '../config.ts';
import type { VantagePeer } from '../config-values.ts';
import { createPeerClient } from '../outbound/peer-client.ts';
import { findServicePublicKey, serviceKeyFile } from '../signing/service-key.ts';
import { type Finding, fault, good, warning } from './finding.ts';

/** What has to agree. */
type OwnRegistry = { genesisHash: string; slotSeconds: number; publicKey: string | undefined };

/** Asks each of them how it is. */
export async function checkVantages(
  { registry, dataDir }: Pick<Config, 'registry' | 'dataDir'>,
  { genesisHash }: Pick<CoinProfile, 'genesisHash'>,
): Promise<Finding[]> {
  const { vantages, slotSeconds, keyFile } = registry;
  const publicKey = findServicePublicKey(serviceKeyFile(dataDir, keyFile));
  const client = createPeerClient(vantages.map(({ url }) => url));
  try {
    return await Promise.all(
      vantages.map(async (peer) => {
        const text = await client.fetchText(`${peer.url}/api/nodeproof/status`).catch(() => undefined);
        return judgeVantage(peer, text, { genesisHash, slotSeconds, publicKey });
      }),
    );
  } finally {
    client.close();
  }
}

/** @param status what it answers; undefined when it does not */
export function judgeVantage(peer: VantagePeer, status: string | undefined, own: OwnRegistry): Finding {
  const name = 'registry.vantage';
  const setting = 'COINFRONT_VANTAGE_PEERS';
  if (status === undefined)
    return warning(name, `${peer.url} does not answer: it is missing in votes.`, 'Ask its operator.');
  const { registry_key: key, network, rules, vantages } = parse(status);
  if (key !== peer.key)
    return fault(
      name,
      `${peer.url} has another key than ${setting} says: nothing that it signs counts.`,
      'Ask its operator for the key, by another way than this URL.',
    );
  if (peer.key === own.publicKey)
    return fault(name, `${peer.url} is this service itself.`, `Take it out of ${setting}.`);
  if (network !== own.genesisHash)
    return fault(name, `${peer.url} is of another chain.`, `Take it out of ${setting}.`);
  if (rules?.slot_seconds !== own.slotSeconds)
    return fault(
      name,
      `${peer.url} has slots of ${String(rules?.slot_seconds).slice(0, 20)} seconds, this service of ${own.slotSeconds}: they never speak of the same one.`,
      'Agree on one COINFRONT_REGISTRY_SLOT.',
    );
  const isMutual =
    Array.isArray(vantages) &&
    vantages.some((each) => own.publicKey !== undefined && each?.vantage === own.publicKey);
  return isMutual
    ? good(name, `${peer.url} looks in the same slots, and lists this service.`)
    : warning(
        name,
        `${peer.url} does not list this service: it does not look at its nodes.`,
        `Have its operator add ${own.publicKey ?? 'the registry_key of /status'} and the URL to ${setting} there.`,
      );
}

type Status = {
  registry_key?: unknown;
  network?: unknown;
  rules?: { slot_seconds?: unknown };
  vantages?: unknown;
};

function parse(text: string): Status {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}
