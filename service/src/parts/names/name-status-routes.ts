import { NameHashesView, NameStatusView } from '@coinfront/api/names.ts';
import { HeightParams } from '@coinfront/api/protocol-hashes.ts';
import { HashesQuery, StatePageView, StateQuery } from '@coinfront/api/protocol-state.ts';
import { encodeAddress } from '@coinfront/protocol/address.ts';
import { formatAmount } from '@coinfront/protocol/amount.ts';
import { bytesToHex } from '@coinfront/protocol/bytes.ts';
import { CHAIN_START, hashEvents } from '@coinfront/protocol/hash-chain.ts';
import { MAX_LABEL_BYTES } from '@coinfront/protocol/names/name-syntax.ts';
import { findRulesId } from '@coinfront/protocol/rules-id.ts';
import type { FastifyInstance } from 'fastify';
import { registerRead } from '../../http/read-route.ts';
import { describeAsOf } from '../../http/snapshot.ts';
import { readHashes } from '../../replicas/describe-hashes.ts';
import { describeStateList, readStatePage } from '../../replicas/state-page.ts';
import { createToldState } from '../../replicas/told-state.ts';
import type { NameRouteContext } from './name-context.ts';
import { nameExamples } from './name-examples.ts';
import { createNameState } from './name-state.ts';
import { getNameTotals } from './name-store.ts';
import { nameHashes } from './name-tables.ts';

const noEvents = bytesToHex(hashEvents([]));

/** `/status`, `/hashes/{height}` and `/state`. */
export function registerNameStatusRoutes(app: FastifyInstance, context: NameRouteContext): void {
  const { rules, profile } = context;
  const rulesId = findRulesId('names', profile)!;
  const told = createToldState(createNameState(rules), { name: 'names', hashes: nameHashes, rulesId });
  const amount = (value: bigint) => formatAmount(value, profile.decimals);
  const described = {
    rules: {
      tlds: rules.tlds,
      min_label_length: rules.minLabelLength,
      max_label_length: MAX_LABEL_BYTES,
      commit_maturity_blocks: rules.commitMaturityBlocks,
      commit_lifetime_blocks: rules.commitLifetimeBlocks,
      period_blocks: rules.periodBlocks,
      max_periods: rules.maxPeriods,
      grace_blocks: rules.graceBlocks,
      premium_blocks: rules.premiumBlocks,
      premium_start: amount(rules.premiumStart),
      reverse_activation_height: rules.reverseActivationHeight ?? null,
      records_activation_height: rules.recordsActivationHeight ?? null,
      block_interval_seconds: profile.blockIntervalSeconds,
    },
    fee: {
      script: bytesToHex(rules.feeScript),
      address: encodeAddress(rules.feeScript, profile) ?? null,
    },
    prices: rules.prices.map(({ fromHeight, byLength }) => ({
      from_height: fromHeight,
      by_length: byLength.map(({ maxLength, perPeriod }) => ({
        max_length: maxLength,
        per_period: amount(perPeriod),
      })),
    })),
  };

  registerRead(app, context, {
    path: '/status',
    response: NameStatusView,
    dependsOn: 'volatile',
    operation: {
      document: 'names',
      id: 'getNameStatus',
      tag: 'Registry',
      summary: 'Registry status',
      description:
        'How far the registry is indexed, its totals and hashes, every number of its rules, and its prices. `replicas` are the ' +
        'peers that the operator compares this service with.',
      errors: [],
      example: nameExamples.status,
    },
    async read({ view, tip }) {
      const hashes = await nameHashes.findLatest(view.reader);
      const state = await nameHashes.findLatestState(view.reader);
      const { names, registered, valid, invalid, paid } = await getNameTotals(view.reader);
      return {
        as_of: describeAsOf(tip),
        active: tip.height + 1 >= rules.activationHeight,
        activation_height: rules.activationHeight,
        marker: bytesToHex(rules.marker),
        events_hash: bytesToHex(hashes?.events ?? hashEvents([])),
        chain_hash: bytesToHex(hashes?.chain ?? CHAIN_START),
        rules_id: rulesId,
        state_hash: state?.state ? { height: state.height, hash: bytesToHex(state.state) } : null,
        replicas: context.listReplicas(),
        totals: {
          names,
          registered,
          operations: valid,
          invalid_operations: invalid,
          paid: amount(BigInt(paid)),
        },
        ...described,
      };
    },
  });

  registerRead(app, context, {
    path: '/hashes/:height',
    params: HeightParams,
    query: HashesQuery,
    response: NameHashesView,
    dependsOn: 'tip',
    operation: {
      document: 'names',
      id: 'getNameHashes',
      tag: 'Registry',
      summary: 'Hashes of a block',
      description:
        'Two services that followed the same blocks by the same rules (`rules_id`) have the same hashes at every height; the ' +
        'first height that differs is found by bisection of `chain_hash`.',
      errors: ['block_not_found', 'state_unavailable', 'state_too_large'],
      parameterExamples: { height: nameExamples.hashes.height },
      example: nameExamples.hashes,
    },
    async read(input) {
      const hashes = await readHashes(input, told);
      // Below the activation there are no rows, and nothing that could differ.
      return { ...hashes, events_hash: hashes.events_hash ?? noEvents };
    },
  });

  registerRead(app, context, {
    path: '/state',
    query: StateQuery,
    response: StatePageView,
    dependsOn: 'tip',
    cost: 5,
    operation: {
      document: 'names',
      id: 'listNameState',
      tag: 'Registry',
      summary: 'The live state of the registry, as it is hashed',
      description: describeStateList('Names, then commitments, as far as they are live'),
      errors: ['block_not_found', 'state_unavailable', 'cursor_expired'],
      example: nameExamples.state,
    },
    read: async ({ view, tip, query }) => await readStatePage(view, tip, query, told),
  });
}
