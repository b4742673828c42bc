import { RegistryStatusView } from '@coinfront/api/registry.ts';
import type { FastifyInstance } from 'fastify';
import { registerCall } from '../../http/call-route.ts';
import { countOpenClaims } from './claims/claim-bounds.ts';
import { readReceipt } from './log/receipt-store.ts';
import { findNow } from './log/registry-now.ts';
import { NETWORK_BITS } from './nodes/endpoint-rules.ts';
import { countNodes } from './nodes/node-store.ts';
import { findProber } from './probing/prober-store.ts';
import { LAPSE_MS, MAX_LAG, type RegistryContext } from './registry-context.ts';
import { registryExamples } from './registry-examples.ts';
import { FULL_WEIGHT, MINIMUM_JUDGED_PPM, MINIMUM_UPTIME_PPM } from './rewards/reward-parts.ts';
import { REWARD_RULES } from './rewards/reward-rules.ts';
import type { RegistryProberTable, RegistryQuery, RegistryTables } from './schema/registry-tables.ts';
import { listLastSlots } from './vantage/statement-store.ts';
import { writeTime, writeTimeOrNull } from './write-time.ts';

const ownStates = ['ready', 'unavailable', 'behind'] as const;

/** `GET /status`. */
export function registerStatusRoute(app: FastifyInstance, context: RegistryContext): void {
  const { precious, profile, rules, publicUrl, now } = context;
  registerCall(app, {
    method: 'GET',
    path: '/status',
    response: RegistryStatusView,
    cache: 'volatile',
    operation: {
      document: 'nodes',
      id: 'getRegistryStatus',
      tag: 'Registry',
      summary: 'Validator status',
      description:
        'The key and the rules of the registry, how many nodes it has, where its log ends, and how its prober is. What is ' +
        'not known is null.',
      errors: ['index_unavailable'],
      example: registryExamples.status,
    },
    async call() {
      const db = precious.query<RegistryTables>();
      const prober = await findProber(db);
      const { tip, last, openEpoch } = await findNow(context);
      const nodes = await countNodes(db);
      const count = (state: Parameters<typeof nodes.get>[0]) => nodes.get(state) ?? 0;
      return {
        non_consensus: true,
        network: profile.genesisHash,
        registry_key: prober?.registry_key ?? null,
        is_open: prober !== undefined && publicUrl !== undefined && publicUrl !== '',
        rules: {
          slot_seconds: rules.slotMs / 1000,
          epoch_blocks: rules.epochBlocks,
          max_height_lag: MAX_LAG,
          reward_rules: REWARD_RULES,
          minimum_uptime_ppm: MINIMUM_UPTIME_PPM,
          minimum_judged_ppm: MINIMUM_JUDGED_PPM,
          network_weight: {
            at_most: String(FULL_WEIGHT),
            ipv4_prefix: NETWORK_BITS.ipv4,
            ipv6_prefix: NETWORK_BITS.ipv6,
            onion: 'one_network' as const,
            as_table: rules.asTable?.sha256 ?? null,
          },
          lapse_seconds: LAPSE_MS / 1000,
          ports: rules.ports === 'any' ? null : [...rules.ports],
          endpoints: [
            'address' as const,
            'host_name' as const,
            ...(rules.socks === undefined ? [] : ['onion' as const]),
          ],
          endpoint_proof: rules.requireProof ? ('required' as const) : ('optional' as const),
        },
        nodes: {
          active: count('active'),
          lapsed: count('lapsed'),
          displaced: count('displaced'),
          removed: count('removed') + count('blocked'),
        },
        open_claims: await countOpenClaims(db, now()),
        receipts: last === undefined ? 0 : last.sequence + 1,
        last_receipt:
          last === undefined
            ? null
            : { sequence: last.sequence, hash: last.hash, issued_at: readReceipt(last).issued_at },
        epoch:
          openEpoch === undefined || tip === undefined
            ? null
            : {
                epoch: openEpoch,
                from_height: openEpoch * rules.epochBlocks,
                to_height: (openEpoch + 1) * rules.epochBlocks - 1,
                height: tip.height,
              },
        vantages: await describeVantages(db, rules),
        prober: describeProber(prober, now()),
      };
    },
  });
}

async function describeVantages(db: RegistryQuery, { vantages }: RegistryContext['rules']) {
  const keys = vantages.map(({ key }) => key).sort();
  const last = await listLastSlots(db, keys);
  return keys.map((vantage) => ({ vantage, last_slot: writeTimeOrNull(last.get(vantage) ?? null) }));
}

function describeProber(prober: RegistryProberTable | undefined, nowMs: number) {
  if (prober === undefined)
    return { state: 'never_ran' as const, last_run_at: null, slots_until: null, own_node: null };
  return {
    state: prober.lease_until > nowMs ? ('running' as const) : ('stopped' as const),
    last_run_at: prober.last_run_at === null ? null : writeTime(prober.last_run_at),
    slots_until: prober.slot_end === null ? null : writeTime(prober.slot_end),
    own_node: ownStates.find((each) => each === prober.own_state) ?? null,
  };
}
