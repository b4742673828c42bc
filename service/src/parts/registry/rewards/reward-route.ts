import { pageLimits } from '@coinfront/api/paging.ts';
import { maxListedSystems, RewardPreview, RewardQuery } from '@coinfront/api/registry.ts';
import { formatAmount } from '@coinfront/protocol/amount.ts';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../../../errors.ts';
import { registerCall } from '../../../http/call-route.ts';
import { describeAsOf } from '../../../http/snapshot.ts';
import { findEpoch, type StoredEpoch } from '../log/epoch-store.ts';
import { findNow } from '../log/registry-now.ts';
import { decodeNodeCursor, encodeNodeCursor } from '../nodes/node-cursor.ts';
import { serialiseCounts } from '../nodes/serialise-node.ts';
import type { RegistryContext } from '../registry-context.ts';
import { registryExamples } from '../registry-examples.ts';
import type { RegistryTables } from '../schema/registry-tables.ts';
import { findEpochRules } from './epoch-rules-store.ts';
import { MINIMUM_JUDGED_PPM, MINIMUM_UPTIME_PPM, type RewardShare } from './reward-parts.ts';
import { REWARD_RULES, shareRewards } from './reward-rules.ts';
import { sumSystems } from './sum-systems.ts';
import { listEpochNodes } from './verdict-store.ts';

/** `GET /rewards/preview`. */
export function registerRewardRoute(app: FastifyInstance, context: RegistryContext): void {
  const { precious, rules, profile } = context;
  registerCall(app, {
    method: 'GET',
    path: '/rewards/preview',
    query: RewardQuery,
    response: RewardPreview,
    cache: 'volatile',
    cost: 5,
    operation: {
      document: 'nodes',
      id: 'previewRewards',
      tag: 'Rewards',
      summary: 'Reward preview',
      description:
        'What nodes would be paid for an epoch, if the operator pays what is set aside. Eligible is who passed in 92% of the ' +
        'slots that were judged, was judged in a quarter of all, and showed the token of its registration. It weighs the part of the slots in ' +
        'which it did; a network (/24, /48), an autonomous system where the operator has a table, and a payout address weigh no more than one node. Integers only, by ' +
        'largest remainder: the amounts sum to the pool exactly. No rule of the chain knows of it.',
      errors: ['epoch_not_found', 'index_unavailable'],
      parameterExamples: { epoch: registryExamples.rewards.epoch ?? 0 },
      example: registryExamples.rewards,
    },
    async call({ query }) {
      const db = precious.query<RegistryTables>();
      const { tip, last, openEpoch } = await findNow(context);
      const epoch = query.epoch ?? openEpoch;
      const closed = epoch === undefined ? undefined : await findEpoch(db, epoch);
      if (query.epoch !== undefined && query.epoch !== openEpoch && closed === undefined)
        throw new AppError('epoch_not_found', `Epoch ${query.epoch} is neither open nor has it receipts.`);
      const pool = findPool(closed, rules.reward);
      const nodes = epoch === undefined ? [] : await listEpochNodes(db, epoch);
      const byRules =
        epoch === undefined
          ? { rules: REWARD_RULES, slots: 0, asTable: null, vantages: [] }
          : await findEpochRules(db, epoch);
      const shares = shareRewards(nodes, pool, { ...byRules, requireProof: rules.requireProof });
      const eligible = shares.filter(({ eligibility }) => eligibility === 'eligible').length;
      const distributed = shares.reduce((sum, { amount }) => sum + amount, 0n);
      const subject = String(epoch ?? '');
      const after = decodeNodeCursor('rewards', subject, query.cursor) ?? '';
      const limit = query.limit ?? pageLimits.default;
      const rest = shares.filter(({ nodeKey }) => nodeKey > after);
      const page = rest.slice(0, limit);
      const write = (amount: bigint) => formatAmount(amount, profile.decimals);
      return {
        non_consensus: true,
        is_final: closed !== undefined,
        as_of: tip === undefined ? null : describeAsOf(tip),
        last_sequence: (closed ? closed.lastSequence : last?.sequence) ?? null,
        epoch: epoch ?? null,
        rules: byRules.rules,
        slots: byRules.rules === 1 ? null : byRules.slots,
        as_table: byRules.asTable,
        minimum_uptime_ppm: MINIMUM_UPTIME_PPM,
        minimum_judged_ppm: byRules.rules === 1 ? 0 : MINIMUM_JUDGED_PPM,
        pool: write(pool),
        distributed: write(distributed),
        reason: pool === 0n ? ('no_pool' as const) : eligible === 0 ? ('no_eligible_node' as const) : null,
        nodes: shares.length,
        eligible,
        autonomous_systems: byRules.asTable === null ? null : describeSystems(shares, write),
        items: page.map((share) => ({
          node_key: share.nodeKey,
          payout_address: share.payoutAddress,
          network: share.network,
          asn: share.asn,
          slots: serialiseCounts(share),
          proven_slots: share.proven,
          others_at_endpoint: { passed: share.othersPassed, failed: share.othersFailed },
          uptime_ppm: share.uptimePpm ?? null,
          eligibility: share.eligibility,
          nodes_in_network: share.sharesNetworkWith,
          nodes_in_as: share.sharesAsWith,
          nodes_of_address: share.sharesAddressWith,
          weight: String(share.weight),
          amount: write(share.amount),
        })),
        next_cursor: rest.length > limit ? encodeNodeCursor('rewards', subject, page.at(-1)!.nodeKey) : null,
      };
    },
  });
}

function describeSystems(shares: readonly RewardShare[], write: (amount: bigint) => string) {
  const systems = sumSystems(shares);
  return {
    count: systems.length,
    unknown_nodes: shares.filter(({ asn }) => asn === null).length,
    items: systems
      .slice(0, maxListedSystems)
      .map(({ weight, amount, ...sum }) => ({ ...sum, weight: String(weight), amount: write(amount) })),
  };
}

/** A closed epoch keeps what was set aside when it was closed. */
function findPool(closed: StoredEpoch | undefined, reward: bigint | undefined): bigint {
  return (closed ? closed.reward : reward) ?? 0n;
}
