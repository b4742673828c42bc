/** Which nodes of peers are looked at: their public lists are read, and nobody can ask for more. */

import Type from 'typebox';
import { Check } from 'typebox/value';
import type { VantagePeer } from '../../../config-values.ts';
import type { PeerClient } from '../../../outbound/peer-client.ts';
import { type Poller, startPoller } from '../../../poll.ts';
import { findEndpointFault, ONION_NETWORK, parseEndpoint } from '../nodes/endpoint-rules.ts';
import type { Look } from '../probing/look-at-node.ts';
import type { Slot } from '../probing/slot-rules.ts';
import { boundOfNetwork } from '../registry-bounds.ts';
import type { RegistryRules } from '../registry-context.ts';
import { readAnswer } from './read-answer.ts';
import { LIST_AGE_MS, LIST_BOUNDS, LIST_EVERY, LIST_PAGE, LIST_ROUND, MAX_OTHERS } from './vantage-bounds.ts';

/** A node of another registry. `nodeKey` chooses the block that it is asked for. */
export type OtherNode = { nodeKey: string; endpoint: string; network: string };

/** The same, with what was seen of it. */
export type LookedOther = { node: OtherNode; looks: readonly Look[] };

/** An entry of a list: `dueMs` is when its registry looks at it next. */
type ListedNode = { nodeKey: string; endpoint: string; dueMs: number };

export type PeerNodes = {
  /** Those that are looked at in a slot, besides this service's own. */
  list(own: readonly { endpoint: string; network: string }[], slot: Slot): OtherNode[];
  stop(): Promise<void>;
};

/** What is read of a list; other versions may say more. */
const ListAnswer = Type.Object({
  items: Type.Array(
    Type.Object({
      node_key: Type.String({ pattern: '^[0-9a-f]{64}$' }),
      endpoint: Type.String({ maxLength: 259 }),
      reached: Type.Union([Type.Null(), Type.String({ maxLength: 259 })]),
      next_look_at: Type.Optional(Type.String({ maxLength: 40 })),
    }),
    { maxItems: LIST_PAGE },
  ),
  next_cursor: Type.Union([Type.Null(), Type.String({ maxLength: 200 })]),
});

/** Starts to read the lists of peers. */
export function followPeerNodes(options: {
  peers: readonly VantagePeer[];
  client: Pick<PeerClient, 'fetchText'>;
  rules: Pick<RegistryRules, 'allow' | 'ports' | 'socks' | 'slotMs'>;
  now: () => number;
}): PeerNodes {
  const { peers, client, rules, now } = options;
  const intervalMs = Math.min(LIST_EVERY.mostMs, rules.slotMs * LIST_EVERY.part);
  const pollers: Poller<ListedNode[]>[] = peers.map(({ url }) =>
    startPoller({
      read: (signal) => readList({ client, now }, url, signal),
      intervalMs,
      describeError: () => 'unreachable',
    }),
  );
  return {
    list(own, slot) {
      const lists = pollers.map((poller) => {
        const { value = [], valueAtMs = 0 } = poller.current();
        return now() - valueAtMs > LIST_AGE_MS ? [] : value;
      });
      return chooseOthers(lists, own, slot, rules);
    },
    stop: async () => void (await Promise.all(pollers.map((poller) => poller.stop()))),
  };
}

async function readList(
  { client, now }: { client: Pick<PeerClient, 'fetchText'>; now: () => number },
  url: string,
  signal: AbortSignal,
): Promise<ListedNode[]> {
  const nodes: ListedNode[] = [];
  const untilMs = now() + LIST_ROUND.ms;
  let cursor = '';
  for (let pages = 0; pages < LIST_ROUND.pages && nodes.length < MAX_OTHERS; pages++) {
    if (signal.aborted || now() >= untilMs) break;
    const page = `${url}/api/nodeproof/nodes?limit=${LIST_PAGE}${cursor}`;
    const answer = await readAnswer(client, page, LIST_BOUNDS);
    if (!Check(ListAnswer, answer)) throw new Error('the peer lists its nodes in another form');
    for (const { node_key: nodeKey, endpoint, reached, next_look_at } of answer.items)
      nodes.push({ nodeKey, endpoint: reached ?? endpoint, dueMs: Date.parse(next_look_at ?? '') || 0 });
    if (answer.next_cursor === null || answer.items.length === 0) break;
    cursor = `&cursor=${encodeURIComponent(answer.next_cursor)}`;
  }
  return nodes;
}

/**
 * Nodes of the lists in turns, so that a long one leaves the others room: each endpoint once, whoever lists it, none of this service's own, no
 * host names, only what its own rules allow, and no more of one network than it registers itself.
 */
export function chooseOthers(
  lists: readonly (readonly ListedNode[])[],
  own: readonly { endpoint: string; network: string }[],
  slot: Slot,
  rules: Pick<RegistryRules, 'allow' | 'ports' | 'socks'>,
): OtherNode[] {
  const taken = new Set(own.map(({ endpoint }) => endpoint));
  const residents = new Map<string, number>();
  const settle = (network: string) => residents.set(network, (residents.get(network) ?? 0) + 1);
  for (const { network } of own) settle(network);
  const chosen: OtherNode[] = [];
  const longest = Math.max(0, ...lists.map((list) => list.length));
  for (let place = 0; place < longest; place++) {
    for (const list of lists) {
      const listed = list[place];
      if (chosen.length >= MAX_OTHERS || listed === undefined || listed.dueMs > slot.startMs) continue;
      const parsed = parseEndpoint(listed.endpoint);
      if (!parsed.ok || parsed.value.kind === 'name') continue;
      const { text, network } = parsed.value;
      const isFull = (residents.get(network) ?? 0) >= boundOfNetwork(network);
      if (taken.has(text) || isFull || findEndpointFault(parsed.value, rules) !== undefined) continue;
      taken.add(text);
      settle(network);
      chosen.push({ nodeKey: listed.nodeKey, endpoint: text, network });
    }
  }
  return chosen;
}

/** How looks at a node are kept apart from others: by its network, and onion addresses each for itself. */
export function laneOf({ endpoint, network }: OtherNode): string {
  return network === ONION_NETWORK ? endpoint : network;
}
