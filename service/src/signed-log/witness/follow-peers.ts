/** Is a witness for the logs of peers, and has them cosign the log of this service. */

import type { Precious } from '../../db/precious.ts';
import type { PeerClient } from '../../outbound/peer-client.ts';
import { type Poller, startPoller } from '../../poll.ts';
import type { WitnessSigner } from './add-checkpoint.ts';
import { askForCosignature } from './ask-for-cosignature.ts';
import { createPeerDoubts } from './peer-doubts.ts';
import { type PeerContext, witnessPeer } from './witness-peer.ts';

export type FollowWitnessesOptions = {
  /** Base URLs without a slash at the end. */
  peers: readonly string[];
  precious: Precious;
  signer: WitnessSigner;
  client: Pick<PeerClient, 'get' | 'post'>;
  /** The log of this service; undefined while there is none. */
  findOrigin(): Promise<string | undefined>;
  /** Is told of each thing that somebody has to look at, once until the peer is well again. */
  onAlarm(text: string): void;
  now: () => number;
};

const POLL_MS = 60_000;
/** More are not asked. */
const MAX_PEERS = 16;

/** What runs until it is stopped. */
export type FollowedWitnesses = {
  /** Resolves when all have been asked. */
  refresh(): Promise<void>;
  stop(): Promise<void>;
};

/** Starts it. */
export function followWitnesses(options: FollowWitnessesOptions): FollowedWitnesses {
  const pollers: Poller<void>[] = options.peers.slice(0, MAX_PEERS).map((peer) => {
    const [doubts, ownDoubts] = [createPeerDoubts(options.onAlarm), createPeerDoubts(options.onAlarm)];
    const context: PeerContext = { ...options, peer, doubts, ownDoubts };
    return startPoller({
      async read() {
        const peerKey = await witnessPeer(context);
        if (peerKey !== undefined) await askForCosignature({ ...context, peerKey });
      },
      intervalMs: POLL_MS,
      describeError: () => 'unreachable',
    });
  });
  return {
    refresh: async () => void (await Promise.all(pollers.map((poller) => poller.refresh()))),
    stop: async () => void (await Promise.all(pollers.map((poller) => poller.stop()))),
  };
}
