import type { NodeJson } from '@coinfront/api/registry.ts';
import type { Verdict } from '@coinfront/protocol/registry/receipt.ts';
import { uptimePpm } from '../rewards/reward-parts.ts';
import type { RegistryNodeTable } from '../schema/registry-tables.ts';
import { writeTime, writeTimeOrNull } from '../write-time.ts';

type Counts = { passed: number; failed: number; voided: number };

export function serialiseCounts(counts: Counts | undefined): NodeJson['total'] {
  const { passed = 0, failed = 0, voided = 0 } = counts ?? {};
  return { passed, failed, void: voided, uptime_ppm: uptimePpm({ passed, failed }) ?? null };
}

/** @param epoch its slots in the open epoch; undefined when there are none */
export function serialiseNode(row: RegistryNodeTable, epoch: Counts | undefined): NodeJson {
  const { last_verdict, last_reason, last_sequence } = row;
  return {
    node_key: row.node_key,
    state: row.state,
    endpoint: row.endpoint,
    reached: row.reached,
    network: row.network,
    payout_address: row.payout_address,
    endpoint_proven: row.endpoint_proven === null ? null : row.endpoint_proven === 1,
    registered_at: writeTime(row.registered_at),
    first_seen: writeTimeOrNull(row.first_passed_at),
    last_seen: writeTimeOrNull(row.last_passed_at),
    last_verdict:
      last_verdict === null || last_sequence === null
        ? null
        : { verdict: last_verdict as Verdict, reason: last_reason, sequence: last_sequence },
    next_look_at: writeTime(row.next_look_at),
    total: serialiseCounts(row),
    epoch: serialiseCounts(epoch),
    height_lag: row.lag,
    protocol_version: row.protocol_version,
    user_agent: row.user_agent,
  };
}
