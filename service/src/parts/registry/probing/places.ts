/** Which places the nodes of a slot hold, and where host names may move to meanwhile. */

import { placeOf } from '../nodes/node-store.ts';
import { boundOfNetwork } from '../registry-bounds.ts';
import type { RegistryNodeTable } from '../schema/registry-tables.ts';
import type { Reached } from './open-node.ts';

/** What a look saw of whose the node at a place is. */
export type Claimant = { nodeKey: string; token: string; tokens: readonly string[] };

export type Places = {
  /** Whether there is room for a node where its name leads now; it keeps the room for the slot. */
  admit(nodeKey: string, to: Reached): boolean;
  /** Whether a place is another node's: it is, unless the node there shows the token of the claimant, and not the holder's. */
  isTaken(at: Reached, claimant: Claimant): boolean;
};

/** @param nodes all that are active, with the tokens of their registrations */
export function createPlaces(
  nodes: readonly {
    row: Pick<RegistryNodeTable, 'node_key' | 'endpoint' | 'reached' | 'network'>;
    token: string;
  }[],
): Places {
  const holders = new Map<string, { nodeKey: string; token: string }[]>();
  const residents = new Map<string, Set<string>>();
  for (const { row, token } of nodes) {
    const place = placeOf(row);
    holders.set(place, [...(holders.get(place) ?? []), { nodeKey: row.node_key, token }]);
    residents.set(row.network, (residents.get(row.network) ?? new Set()).add(row.node_key));
  }
  return {
    admit(nodeKey, { network }) {
      const there = residents.get(network) ?? new Set();
      if (there.has(nodeKey)) return true;
      // Whoever has names could lead all of them to one victim.
      if (there.size >= boundOfNetwork(network)) return false;
      residents.set(network, there.add(nodeKey));
      return true;
    },
    isTaken({ text }, { nodeKey, token, tokens }) {
      const others = (holders.get(text) ?? []).filter((each) => each.nodeKey !== nodeKey);
      if (others.length === 0) return false;
      return !tokens.includes(token) || others.some((each) => tokens.includes(each.token));
    },
  };
}
