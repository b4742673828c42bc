/** What all looks of a slot together say of this service: reasons of its own, for which nobody is judged. */

import type { ReceiptAttempt } from '@coinfront/protocol/registry/receipt.ts';
import { ONION_NETWORK } from '../nodes/endpoint-rules.ts';
import type { LookedOther } from '../vantage/peer-nodes.ts';
import type { LookedNode } from './settle-move.ts';
import { isCutOff, isOutvoted } from './slot-rules.ts';

/** Why a node is not judged in a slot. */
export type FindVoid = (looked: { node: { network: string } }) => string | undefined;

type Seen = { network: string; isTrusted: boolean; attempts: readonly ReceiptAttempt[] };

/**
 * Why nobody is judged in a slot, or nobody with an onion address.
 *
 * @param others nodes of other registries: where they were reached, or have shown more work, that says as much. They have no part in the
 *   vote on the chain, which anybody could fill with strangers' nodes
 */
export function findOwnFault(looked: readonly LookedNode[], others: readonly LookedOther[] = []): FindVoid {
  const nodes = looked.map(
    ({ node, looks }): Seen => ({
      network: node.network,
      isTrusted: node.first_passed_at !== null && Number(node.endpoint_proven) === 1,
      attempts: looks.map(({ attempt }) => attempt),
    }),
  );
  const seen = [
    ...nodes,
    ...others.map(
      ({ node, looks }): Seen => ({
        network: node.network,
        isTrusted: false,
        attempts: looks.map(({ attempt }) => attempt),
      }),
    ),
  ];
  // Work needs nobody's word: one node that shows more of it is enough.
  if ([...looked, ...others].some(({ looks }) => looks.some(({ showsMoreWork }) => showsMoreWork === true)))
    return () => 'registry_outworked';
  if (isOutvoted(nodes)) return () => 'registry_outvoted';
  const isOnion = ({ network }: { network: string }) => network === ONION_NETWORK;
  const isNetCutOff = isCutOff(seen.filter((each) => !isOnion(each)));
  // There is one way to all of them; each has its own end.
  const onions = seen.filter(isOnion).map((each, i) => ({ ...each, network: String(i) }));
  const isProxyCutOff = isCutOff(onions);
  return ({ node }) => ((isOnion(node) ? isProxyCutOff : isNetCutOff) ? 'registry_isolated' : undefined);
}
