/** Is a witness for the logs of peers, and has them cosign those of this service. */

import { type LogKind, logKinds } from '@coinfront/protocol/signed-log/checkpoint.ts';
import { witnessName } from '@coinfront/protocol/signed-log/cosignature.ts';
import type { WitnessSetting } from '../../config-values.ts';
import type { Precious } from '../../db/precious.ts';
import type { PeerClient } from '../../outbound/peer-client.ts';
import { type Poller, startPoller } from '../../poll.ts';
import type { WitnessSigner } from './add-checkpoint.ts';
import { askForCosignature, type Witness } from './ask-for-cosignature.ts';
import { createPeerDoubts } from './peer-doubts.ts';
import { peerLog } from './peer-log.ts';
import { type PeerContext, witnessLog } from './witness-peer.ts';

export type FollowWitnessesOptions = {
  /** Base URLs without a slash at the end. */
  peers: readonly string[];
  /** Witnesses that only cosign. */
  witnesses: readonly WitnessSetting[];
  precious: Precious;
  signer: WitnessSigner;
  client: Pick<PeerClient, 'get' | 'post'>;
  /** The log of a kind that this service has; undefined while there is none. */
  findOrigin(kind: LogKind): Promise<string | undefined>;
  /** Is told of each thing that somebody has to look at, once until the peer is well again. */
  onAlarm(text: string): void;
  now: () => number;
};

/** Where a service of the coin is a witness. */
const WITNESS_PATH = '/api/nodeproof/witness';
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
  const start = (read: () => Promise<void>): Poller<void> =>
    startPoller({ read, intervalMs: POLL_MS, describeError: () => 'unreachable' });
  const ofPeers = options.peers.slice(0, MAX_PEERS).map((peer) => {
    const contexts = logKinds.map((kind): PeerContext => {
      const [doubts, ownDoubts] = [createPeerDoubts(options.onAlarm), createPeerDoubts(options.onAlarm)];
      return { ...options, log: peerLog(kind, peer), doubts, ownDoubts };
    });
    return start(() => lookAtPeer(contexts));
  });
  const ofWitnesses = options.witnesses.map(({ key, url }) => {
    const witness: Witness = { label: `The witness ${key.name}`, key, url, isTold: true };
    const asked = logKinds.map((kind) => ({
      ...options,
      ...{ kind, witness, doubts: createPeerDoubts(options.onAlarm) },
    }));
    return start(() => attemptAll(asked.map((each) => () => askForCosignature(each))));
  });
  const pollers = [...ofPeers, ...ofWitnesses];
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
  // A service signs all of its logs by one key, and cosigns by it.
  let peerKey: string | undefined;
  const looks = contexts.map((context) => async () => {
    const key = await witnessLog(context);
    peerKey ??= key;
  });
  const asks = contexts.map((context) => async () => {
    if (peerKey !== undefined) await askForCosignature(askOf(context, peerKey));
  });
  await attemptAll([...looks, ...asks]);
}

function askOf(context: PeerContext, publicKey: string) {
  const { kind, peer } = context.log;
  const witness: Witness = {
    ...{ label: peer, url: `${peer}${WITNESS_PATH}`, isTold: false },
    key: { name: witnessName(publicKey), publicKey },
  };
  return { ...context, kind, witness, doubts: context.ownDoubts };
}

/**
 * Takes step after step, whatever becomes of those before.
 *
 * @throws whatever went wrong first
 */
async function attemptAll(steps: readonly (() => Promise<void>)[]): Promise<void> {
  const errors: unknown[] = [];
  for (const step of steps) await step().catch((error: unknown) => errors.push(error));
  if (errors.length > 0) throw errors[0];
}
