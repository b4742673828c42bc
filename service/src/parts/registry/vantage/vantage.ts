/** What a prober does as one of several vantage points: it looks at the nodes of its peers, says what it saw, and hears what they did. */

import type { VantagePeer } from '../../../config-values.ts';
import type { Precious } from '../../../db/precious.ts';
import type { PeerClient } from '../../../outbound/peer-client.ts';
import type { ServiceSigner } from '../../../signing/service-key.ts';
import type { LogMoment } from '../log/receipt-log.ts';
import { saveSlotEnd } from '../probing/prober-store.ts';
import type { Slot } from '../probing/slot-rules.ts';
import { lockRegistry, type RegistryRules } from '../registry-context.ts';
import type { RegistryTables } from '../schema/registry-tables.ts';
import { type Ballot, holdStatement } from './cast-votes.ts';
import { collectStatements } from './collect-statements.ts';
import { followPeerNodes, type PeerNodes } from './peer-nodes.ts';
import { findStatementOf, insertStatement } from './statement-store.ts';
import { graceOf } from './vantage-bounds.ts';
import { type SeenSlot, writeStatement } from './write-statement.ts';

export type Vantage = {
  /** Keys of the peers, ascending. */
  keys: readonly string[];
  listOthers: PeerNodes['list'];
  /**
   * At the end of a slot: publishes what was seen of it, and waits for what peers have seen.
   *
   * @throws LeaseLostError when another process has taken over
   */
  hold(holder: string, slot: Slot, moment: LogMoment, seen: SeenSlot, signal: AbortSignal): Promise<Ballot>;
  stop(): Promise<void>;
};

export type VantageOptions = {
  peers: readonly VantagePeer[];
  precious: Precious;
  signer: ServiceSigner;
  genesisHash: string;
  client: Pick<PeerClient, 'fetchText'>;
  rules: RegistryRules;
  onAlarm(text: string): void;
  now: () => number;
};

/**
 * Starts to read the lists of the peers.
 *
 * @throws Error when one of them has this service's own key
 */
export function startVantage(options: VantageOptions): Vantage {
  const { peers, precious, signer, genesisHash, client, rules, now } = options;
  if (peers.some(({ key }) => key === signer.publicKey))
    throw new Error(
      `COINFRONT_VANTAGE_PEERS: ${signer.publicKey} is the key of this service itself, whose looks count anyway. Name others.`,
    );
  const peerNodes = followPeerNodes({ peers, client, rules, now });
  return {
    keys: peers.map(({ key }) => key).sort(),
    listOthers: peerNodes.list,
    async hold(holder, slot, moment, seen, signal) {
      const own = writeStatement({ signer, genesisHash }, slot, moment, seen);
      const said = await precious.transaction<RegistryTables, typeof own>(async (trx) => {
        await lockRegistry(trx, precious.engine);
        await saveSlotEnd(trx, holder, undefined);
        // A clock that was set back must not make this service say two things.
        const before = await findStatementOf(trx, signer.publicKey, slot.startMs);
        if (before === undefined) await insertStatement(trx, own, now());
        return before ?? own;
      });
      const statements = await collectStatements(options, slot, slot.endMs + graceOf(rules.slotMs), signal);
      return { own: holdStatement(said), statements };
    },
    stop: peerNodes.stop,
  };
}
