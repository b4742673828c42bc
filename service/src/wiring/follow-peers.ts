import { bytesToHex } from '@coinfront/protocol/bytes.ts';
import { findRulesId, type HashedProtocol } from '@coinfront/protocol/rules-id.ts';
import type { LabelledSource } from '../http/metrics-server.ts';
import type { HashLog } from '../indexer/parts/hash-log.ts';
import { createPeerClient } from '../outbound/peer-client.ts';
import { type FollowedReplicas, followReplicas } from '../replicas/follow-replicas.ts';
import type { Ground } from './ground.ts';
import type { Wired } from './wired.ts';

/** A protocol whose state is compared with that of peers. */
export type ComparedProtocol = {
  protocol: HashedProtocol;
  /** In names of metrics. */
  singular: 'proof' | 'name' | 'token';
  /** Where its routes begin. */
  path: string;
  marker: Uint8Array;
  activationHeight: number;
  hashes: HashLog;
};

/** Compares a protocol with the operator's peers, where requests are answered that tell of them. */
export function followPeers(
  { config, profile, storage }: Ground,
  { protocol, singular, path, marker, activationHeight, hashes }: ComparedProtocol,
): Wired & Pick<FollowedReplicas, 'list'> {
  const client = createPeerClient(config.peers);
  const replicas = followReplicas({
    peers: config.roles.has('api') ? config.peers : [],
    path,
    genesisHash: profile.genesisHash,
    marker: bytesToHex(marker),
    activationHeight,
    rulesId: findRulesId(protocol, profile)!,
    hashes,
    readChain: storage.readChain,
    fetchText: client.fetchText,
    now: Date.now,
  });
  const agreement: LabelledSource = {
    kind: 'gauge',
    name: `coinfront_${singular}_peer_agrees`,
    help: `1 while the ${protocol} of the peer are those of this service, 0 while they differ; absent while they cannot be compared.`,
    label: 'peer',
    list: () =>
      new Map(
        replicas.list().flatMap(({ url, state }): [string, number][] => {
          if (state === 'agrees') return [[url, 1]];
          return state === 'differs' ? [[url, 0]] : [];
        }),
      ),
  };
  return {
    list: replicas.list,
    labelled: [agreement],
    close: () => {
      client.close();
      return replicas.stop();
    },
  };
}
