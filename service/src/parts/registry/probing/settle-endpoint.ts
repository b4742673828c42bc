import { findAwaiting } from '../claims/claim-store.ts';
import { handOverEndpoint } from '../claims/register-node.ts';
import { findNode, placeOf } from '../nodes/node-store.ts';
import type { RegistryQuery } from '../schema/registry-tables.ts';
import type { LookedNode } from './settle-move.ts';

/** Gives the endpoint to another node's owner, when whoever runs the node there says so. */
export async function settleEndpoint(
  trx: RegistryQuery,
  { node, token, looks }: LookedNode,
  nowMs: number,
): Promise<void> {
  const tokens = new Set(looks.flatMap((look) => look.tokens));
  if (tokens.size === 0 || tokens.has(token)) return;
  const claim = await findAwaiting(trx, [node.endpoint, placeOf(node)], [...tokens], nowMs);
  if (claim === undefined) return;
  const holder = await findNode(trx, node.node_key);
  if (holder?.state !== 'active' || holder.claim_id !== node.claim_id) return;
  // Of the same host name the holder's look knows where it leads now.
  const { reached, network } = holder;
  const place = claim.endpoint === holder.endpoint ? { reached, network } : {};
  await handOverEndpoint(trx, { ...claim, ...place }, holder, nowMs);
}
