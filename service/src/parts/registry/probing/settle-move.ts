/** A host name that leads elsewhere than before: whose the place is, and what becomes of who held it. */

import { tellEnds } from '../alerts/tell-owners.ts';
import { changeClaimState, findClaim } from '../claims/claim-store.ts';
import { changeNodeState, findNode, listHolders, moveNode, placeOf } from '../nodes/node-store.ts';
import type { RegistryNodeTable, RegistryQuery } from '../schema/registry-tables.ts';
import type { Look } from './look-at-node.ts';

/** A node with what was seen of it. `token` is that of its registration. */
export type LookedNode = { node: RegistryNodeTable; token: string; looks: readonly Look[] };

/**
 * Moves a node to where its name led. The caller holds the registry's lock.
 *
 * A place is one endpoint, by whatever name: the node there has to show the token of whom it moves to, and not that of another who
 * holds it. Else its looks say nothing.
 */
export async function settleMove(trx: RegistryQuery, looked: LookedNode, nowMs: number): Promise<LookedNode> {
  const { node, token, looks } = looked;
  const reached = looks.findLast((look) => look.reached !== undefined)?.reached;
  if (reached === undefined || reached.text === node.reached) return looked;
  const current = await findNode(trx, node.node_key);
  if (current?.state !== 'active' || current.claim_id !== node.claim_id) return looked;
  const to = { reached: reached.text, network: reached.network };
  const tokens = new Set(looks.flatMap((look) => look.tokens));
  const place = { endpoint: node.endpoint, reached: reached.text };
  const holders = await listHolders(trx, node.node_key, place);
  for (const holder of holders.filter((each) => placeOf(each) === reached.text)) {
    const ofHolder = (await findClaim(trx, holder.claim_id))?.endpoint_token;
    if (!tokens.has(token) || ofHolder === undefined || tokens.has(ofHolder)) return setAside(looked);
    await giveUpPlace(trx, holder, nowMs);
  }
  await moveNode(trx, node, to);
  return { ...looked, node: { ...node, ...to } };
}

/** A host name may have come to lead elsewhere; an address has lost its node. */
async function giveUpPlace(trx: RegistryQuery, holder: RegistryNodeTable, nowMs: number): Promise<void> {
  if (holder.reached !== null) return await moveNode(trx, holder, { reached: null, network: holder.network });
  await changeNodeState(trx, holder.node_key, ['active'], 'displaced');
  await changeClaimState(trx, holder.claim_id, 'verified', 'superseded');
  await tellEnds(trx, [holder.node_key], 'node.displaced', nowMs);
}

function setAside(looked: LookedNode): LookedNode {
  const looks = looked.looks.map(
    (look): Look => ({
      attempt: { ...look.attempt, result: 'void', reason: 'endpoint_taken' },
      observed: null,
      tokens: [],
    }),
  );
  return { ...looked, looks };
}
