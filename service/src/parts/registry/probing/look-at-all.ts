/** All looks of a slot: at the nodes of this registry, and at those of its peers. */

import { randomBytes } from 'node:crypto';
import type { NameServers } from '../../../outbound/resolve-host.ts';
import { ONION_NETWORK } from '../nodes/endpoint-rules.ts';
import type { RegistryRules } from '../registry-context.ts';
import type { RegistryNodeTable } from '../schema/registry-tables.ts';
import { laneOf, type OtherNode } from '../vantage/peer-nodes.ts';
import { type Look, lookAtNode } from './look-at-node.ts';
import type { OwnChain } from './own-chain.ts';
import type { Places } from './places.ts';
import { type LookedAt, runLooks } from './run-looks.ts';
import type { Slot } from './slot-rules.ts';

export type LookAllOptions = {
  chain: OwnChain;
  rules: RegistryRules;
  nameServers: NameServers;
  userAgent: string;
  /** Connections that may be open at once. */
  connections: number;
  now: () => number;
};

/** To onion addresses, at least: each takes seconds. */
const ONION_CONNECTIONS = 4;
/** Part of a slot, and bounds in milliseconds, that one look may take. */
const LOOK_LIMIT = { part: 0.05, leastMs: 5_000, mostMs: 30_000 };

/** A node of this registry, with the token of its registration. */
export type ActiveNode = { row: RegistryNodeTable; token: string };

/** Looks at the nodes of a slot; at those with onion addresses apart from the others, which these must not hold up. */
export async function lookAtAll(
  options: LookAllOptions,
  { slot, nodes, places }: { slot: Slot; nodes: readonly ActiveNode[]; places: Places },
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Look[]>> {
  const { connections, now } = options;
  const lookOptions = lookOptionsOf(options, places);
  const run = (some: readonly (ActiveNode & LookedAt)[], atOnce: number) =>
    runLooks(
      {
        nodes: some,
        slot,
        connections: atOnce,
        look: ({ row, token }, lookSignal) => {
          const { node_key: nodeKey, endpoint, reached } = row;
          return lookAtNode({ nodeKey, endpoint, reached, token }, lookOptions, lookSignal);
        },
        random: randomFraction,
        now,
      },
      signal,
    );
  const all = nodes.map((node) => ({ ...node, nodeKey: node.row.node_key, network: node.row.network }));
  const isOnion = ({ network }: LookedAt) => network === ONION_NETWORK;
  const [seen, onion] = await Promise.all([
    run(
      all.filter((node) => !isOnion(node)),
      connections,
    ),
    run(
      // There is no network behind them that could be burdened.
      all.filter(isOnion).map((node) => ({ ...node, network: node.nodeKey })),
      Math.max(connections, ONION_CONNECTIONS),
    ),
  ]);
  return new Map([...seen, ...onion]);
}

/** Looks at the nodes of peers, by their endpoints. Many of them that hang hold up none of this service's own. */
export async function lookAtOthers(
  options: LookAllOptions,
  { slot, others, places }: { slot: Slot; others: readonly OtherNode[]; places: Places },
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Look[]>> {
  const lookOptions = lookOptionsOf(options, places);
  return await runLooks(
    {
      nodes: others.map((node) => ({ node, nodeKey: node.endpoint, network: laneOf(node) })),
      slot,
      connections: options.connections,
      look: ({ node: { nodeKey, endpoint } }, lookSignal) =>
        lookAtNode({ nodeKey, endpoint, reached: null, token: '' }, lookOptions, lookSignal),
      random: randomFraction,
      now: options.now,
    },
    signal,
  );
}

function lookOptionsOf({ chain, rules, nameServers, userAgent, now }: LookAllOptions, places: Places) {
  return { chain, rules, nameServers, places, userAgent, limitMs: lookLimit(rules.slotMs), now };
}

function lookLimit(slotMs: number): number {
  return Math.min(LOOK_LIMIT.mostMs, Math.max(LOOK_LIMIT.leastMs, slotMs * LOOK_LIMIT.part));
}

/** Uniform from 0 to 1, of the system's generator: times of looks must not be foreseen. */
function randomFraction(): number {
  return randomBytes(4).readUInt32BE() / 2 ** 32;
}
