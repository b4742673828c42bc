/** Is a witness for the logs of peers, and has them cosign those of this service. */

import { type LogKind, logKinds } from '@coinfront/protocol/signed-log/checkpoint.ts';
import type { Precious } from '../../db/precious.ts';
import type { PeerClient } from '../../outbound/peer-client.ts';
import { type Poller, startPoller } from '../../poll.ts';
import type { WitnessSigner } from './add-checkpoint.ts';
import { askForCosignature } from './ask-for-cosignature.ts';
import { createPeerDoubts } from './peer-doubts.ts';
import { peerLog } from './peer-log.ts';
import { type PeerContext, witnessLog } from './witness-peer.ts';

export type FollowWitnessesOptions = {
  /** Base URLs without a slash at the end. */
  peers: readonly string[];
  precious: Precious;
  signer: WitnessSigner;
  client: Pick<PeerClient, 'get' | 'post'>;
  /** The log of a kind that this service has; undefined while there is none. */
  findOrigin(kind: LogKind): Promise<string | undefined>;
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
    const contexts = logKinds.map((kind): PeerContext => {
      const [doubts, ownDoubts] = [createPeerDoubts(options.onAlarm), createPeerDoubts(options.onAlarm)];
      return { ...options, log: peerLog(kind, peer), doubts, ownDoubts };
    });
    return startPoller({
      read: () => lookAtPeer(contexts),
      intervalMs: POLL_MS,
      describeError: () => 'unreachable',
    });
  });
  return {
    refresh: async () => void (await Promise.all(pollers.map((poller) => poller.refresh()))),
    stop: async () => void (await Promise.all(pollers.map((poller) => poller.stop()))),
  };
}

/**
 * Looks at all logs of a peer, then asks it for cosignatures. One that cannot be read keeps nobody from the others.
 *
 * @throws whatever went wrong first
 */
async function lookAtPeer(contexts: readonly PeerContext[]): Promise<void> {
  const errors: unknown[] = [];
  const attempt = async <T>(step: Promise<T>): Promise<T | undefined> =>
    await step.catch((error: unknown) => {
      errors.push(error);
      return undefined;
    });
  // A service signs all of its logs by one key, and cosigns by it.
  let peerKey: string | undefined;
  for (const context of contexts) {
    const key = await attempt(witnessLog(context));
    peerKey ??= key;
  }
  if (peerKey !== undefined)
    for (const context of contexts) await attempt(askForCosignature({ ...context, peerKey }));
  if (errors.length > 0) throw errors[0];
}
