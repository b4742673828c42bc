/** Makes what this service signs of its looks in a slot. */

import type { NodeLook, NodeLooks, SignedLooks } from '@coinfront/protocol/registry/looks.ts';
import { looksBounds } from '@coinfront/protocol/registry/looks.ts';
import {
  hashRegistryText,
  writeRegistryText,
  writeSignedText,
} from '@coinfront/protocol/registry/receipt.ts';
import { isOwnReason } from '@coinfront/protocol/registry/votes.ts';
import type { ServiceSigner } from '../../../signing/service-key.ts';
import type { LogMoment } from '../log/receipt-log.ts';
import { placeOf } from '../nodes/node-store.ts';
import type { Look } from '../probing/look-at-node.ts';
import { findOwnFault } from '../probing/own-fault.ts';
import type { LookedNode } from '../probing/settle-move.ts';
import { judgeAttempts, type Slot } from '../probing/slot-rules.ts';
import type { LookedOther } from './peer-nodes.ts';

/** What was seen of a slot: of this service's own nodes, and of those of others. */
export type SeenSlot = { looked: readonly LookedNode[]; others: readonly LookedOther[] };

/** Signs what was seen of a slot. */
export function writeStatement(
  { signer, genesisHash }: { signer: ServiceSigner; genesisHash: string },
  slot: Slot,
  { nowMs, height, blockHash }: LogMoment,
  { looked, others }: SeenSlot,
): SignedLooks {
  const findVoid = findOwnFault(looked, others);
  const looks = new Map<string, NodeLook>();
  const add = (endpoint: string, seen: readonly Look[], network: string) => {
    const look = describeLooks(endpoint, seen, findVoid({ node: { network } }));
    // Of two names that led to one place the one that was let in says what is there.
    const isNew = !looks.has(endpoint) || (look.result === 'pass' && looks.get(endpoint)!.result !== 'pass');
    if (!isOwnReason(look.reason) && isNew) looks.set(endpoint, look);
  };
  for (const { node, looks: seen } of looked)
    add(
      seen.findLast(({ reached }) => reached !== undefined)?.reached?.text ?? placeOf(node),
      seen,
      node.network,
    );
  for (const { node, looks: seen } of others)
    if (looks.size < looksBounds.looks && !looks.has(node.endpoint)) add(node.endpoint, seen, node.network);
  const statement: NodeLooks = {
    type: 'node-looks',
    version: 1,
    network: genesisHash,
    registry_key: signer.publicKey,
    slot: { from: new Date(slot.startMs).toISOString(), to: new Date(slot.endMs).toISOString() },
    height,
    block_hash: blockHash,
    issued_at: new Date(nowMs).toISOString(),
    looks: [...looks.values()].sort((a, b) => (a.endpoint < b.endpoint ? -1 : 1)),
  };
  const hash = hashRegistryText(writeRegistryText(statement));
  return { statement, hash, signature: signer.sign(writeSignedText(statement.type, hash)) };
}

function describeLooks(endpoint: string, seen: readonly Look[], voidReason: string | undefined): NodeLook {
  const attempts = seen.map(({ attempt }) => attempt);
  const { verdict, reason } =
    voidReason === undefined ? judgeAttempts(attempts) : { verdict: 'void' as const, reason: voidReason };
  const said = verdict === 'void' ? undefined : seen.findLast(({ attempt }) => attempt.result === verdict);
  return {
    endpoint,
    at: attempts.at(-1)?.at ?? null,
    result: verdict,
    reason,
    lag: said?.observed?.lag ?? null,
    tokens: (said?.tokens ?? []).slice(0, looksBounds.tokens),
  };
}
