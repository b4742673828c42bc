/** What an epoch's receipts say of its nodes: the figures that its rewards are shared by, for whoever has the receipts. */

import type { Receipt } from './receipt.ts';

/** Slots of a node in an epoch. */
export type NodeTally = {
  passed: number;
  failed: number;
  /** Slots passed in which it showed its token, at the endpoint where it was judged last. */
  proven: number;
  /** What other keys did at the endpoints that it had, each until it was last judged there. */
  othersPassed: number;
  othersFailed: number;
};

export type EpochTally = {
  /** Slots in which anybody passed or failed. */
  slots: number;
  nodes: ReadonlyMap<string, NodeTally>;
};

type Counts = { passed: number; failed: number };

/** Takes the receipts of an epoch in their order; `tally` is that of those that were taken. */
export function createEpochTally(): { add(receipt: Receipt): void; tally: EpochTally } {
  const nodes = new Map<string, NodeTally>();
  const endpoints = new Map<string, Counts>();
  const seats = new Map<string, Counts & { others: Counts }>();
  const lastEndpoints = new Map<string, string>();
  const tally = { slots: 0, nodes };
  let lastEnd: string | undefined;
  return {
    tally,
    add({ node_key, endpoint, verdict, slots, observed }) {
      if (node_key === null || endpoint === null || verdict === 'void') return;
      if (slots.to !== lastEnd) tally.slots += 1;
      lastEnd = slots.to;
      const passed = verdict === 'pass' ? slots.count : 0;
      const failed = verdict === 'fail' ? slots.count : 0;
      const node = getOrSet(nodes, node_key, () => ({
        ...{ passed: 0, failed: 0, proven: 0, othersPassed: 0, othersFailed: 0 },
      }));
      const ofEndpoint = getOrSet(endpoints, endpoint, () => ({ passed: 0, failed: 0 }));
      const seat = getOrSet(seats, `${node_key} ${endpoint}`, () => ({
        ...{ passed: 0, failed: 0, others: { passed: 0, failed: 0 } },
      }));
      for (const counts of [node, ofEndpoint, seat]) {
        counts.passed += passed;
        counts.failed += failed;
      }
      if (lastEndpoints.get(node_key) !== endpoint) node.proven = 0;
      lastEndpoints.set(node_key, endpoint);
      if (observed?.endpoint_proven === true) node.proven += passed;
      const others = { passed: ofEndpoint.passed - seat.passed, failed: ofEndpoint.failed - seat.failed };
      node.othersPassed += others.passed - seat.others.passed;
      node.othersFailed += others.failed - seat.others.failed;
      seat.others = others;
    },
  };
}

function getOrSet<T>(map: Map<string, T>, key: string, make: () => T): T {
  const found = map.get(key);
  if (found !== undefined) return found;
  const made = make();
  map.set(key, made);
  return made;
}
