/** What a worker does for the log besides appending to it: anchors of its checkpoints, and witnesses, which watch all logs of a service. */

import type { LogKind } from '@coinfront/protocol/signed-log/checkpoint.ts';
import type { WitnessSetting } from '../../../config-values.ts';
import type { Precious } from '../../../db/precious.ts';
import type { PeerClient } from '../../../outbound/peer-client.ts';
import { type AnchorHeadsOptions, startAnchoring } from '../../../signed-log/anchor-heads.ts';
import { followWitnesses } from '../../../signed-log/witness/follow-peers.ts';
import type { ServiceSigner } from '../../../signing/service-key.ts';
import type { RegistryTables } from '../schema/registry-tables.ts';
import { findEpochLog } from './epoch-log.ts';

export type WatchLogOptions = {
  precious: Precious;
  signer: ServiceSigner;
  /** Has a digest anchored in the chain; undefined where no wallet is there for it. */
  anchor: AnchorHeadsOptions['anchor'] | undefined;
  /** Base URLs of the services whose logs are witnessed, and which witness this one. */
  witnessPeers: readonly string[];
  /** Witnesses that only cosign. */
  witnesses: readonly WitnessSetting[];
  peerClient: Pick<PeerClient, 'get' | 'post'>;
  /** The log of the treasury's ledger, which another part keeps; undefined while there is none. */
  findLedgerLog: () => Promise<string | undefined>;
  onError: (error: unknown) => void;
  /** Is told once of each thing that somebody has to look at. */
  onAlarm: (text: string) => void;
  now: () => number;
};

/** A checkpoint that was closed is given to the chain by then. */
const ANCHOR_EVERY_MS = 5_000;

/** Starts it. */
export function watchLog(options: WatchLogOptions): { stop(): Promise<void> } {
  const { precious, signer, anchor, witnessPeers, witnesses, peerClient, onError, onAlarm, now } = options;
  const findEpochs = () => findEpochLog(precious.query<RegistryTables>());
  const anchoring =
    anchor &&
    startAnchoring({ precious, findOrigin: findEpochs, anchor, everyMs: ANCHOR_EVERY_MS, onError, now });
  const findOrigin = (kind: LogKind) => (kind === 'node-registry' ? findEpochs() : options.findLedgerLog());
  const following = followWitnesses({
    ...{ peers: witnessPeers, witnesses, precious, signer, client: peerClient, findOrigin, onAlarm, now },
  });
  return {
    async stop() {
      await Promise.all([anchoring?.stop(), following.stop()]);
    },
  };
}
