import { HeightParams } from '@coinfront/api/protocol-hashes.ts';
import { HashesQuery, StatePageView, StateQuery } from '@coinfront/api/protocol-state.ts';
import { TokenHashesView, TokenStatsView, TokenStatusView } from '@coinfront/api/tokens.ts';
import { formatAmount } from '@coinfront/protocol/amount.ts';
import { bytesToHex } from '@coinfront/protocol/bytes.ts';
import { CHAIN_START } from '@coinfront/protocol/hash-chain.ts';
import { findRulesId } from '@coinfront/protocol/rules-id.ts';
import { createFeeAt } from '@coinfront/protocol/tokens/token-rules.ts';
import type { FastifyInstance } from 'fastify';
import { registerRead } from '../../http/read-route.ts';
import { describeAsOf } from '../../http/snapshot.ts';
import { readHashes } from '../../replicas/describe-hashes.ts';
import { describeStateList, readStatePage } from '../../replicas/state-page.ts';
import { createToldState } from '../../replicas/told-state.ts';
import { createTokenState } from './read-token-state.ts';
import { serialiseOwner } from './serialise-token.ts';
import type { TokenRouteContext } from './token-context.ts';
import { tokenExamples } from './token-examples.ts';
import { getTokenCounts } from './token-store.ts';
import { tokenHashes } from './token-tables.ts';

/** `/tok/status`, `/tok/stats`, `/tok/hashes/{height}` and `/tok/state`. */
export function registerStatusRoutes(app: FastifyInstance, context: TokenRouteContext): void {
  const { profile } = context;
  const { rules } = context.tokens;
  const rulesId = findRulesId('tokens', profile)!;
  const told = createToldState(createTokenState(), { name: 'tokens', hashes: tokenHashes, rulesId });

  registerRead(app, context, {
    path: '/tok/status',
    response: TokenStatusView,
    dependsOn: 'volatile',
    operation: {
      document: 'tokens',
      id: 'getTokenStatus',
      tag: 'Index',
      summary: 'State of the index of tokens: indexer, activation, hashes, replicas',
      description:
        'Two services that followed the same blocks by the same rules (`rules_id`) have the same hashes, to the bit. `replicas` are ' +
        'the peers that the operator compares this service with.',
      errors: [],
      example: tokenExamples.status,
    },
    async read({ view, tip }) {
      const hashes = await tokenHashes.findLatest(view.reader);
      const state = await tokenHashes.findLatestState(view.reader);
      const next = tip.height + 1;
      const isActive = next >= rules.activationHeight;
      const { status, lagBlocks } = context.judgeIndex(tip.height);
      return {
        as_of: describeAsOf(tip),
        indexer: { state: status, lag_blocks: lagBlocks ?? null },
        marker: bytesToHex(rules.marker),
        active: isActive,
        activation_height: rules.activationHeight,
        sweep_activation_height: rules.sweepActivationHeight ?? null,
        genesis_hash: profile.genesisHash,
        rules_id: rulesId,
        events_hash: hashes === undefined ? null : bytesToHex(hashes.events),
        chain_hash: bytesToHex(hashes?.chain ?? CHAIN_START),
        state: state?.state ? { height: state.height, hash: bytesToHex(state.state) } : null,
        create_fee: {
          amount: isActive ? formatAmount(createFeeAt(next, rules), profile.decimals) : null,
          ...serialiseOwner(rules.feeScript, profile),
        },
        replicas: context.listReplicas(),
      };
    },
  });

  registerRead(app, context, {
    path: '/tok/stats',
    response: TokenStatsView,
    dependsOn: 'tip',
    operation: {
      document: 'tokens',
      id: 'getTokenStats',
      tag: 'Index',
      summary: 'Token, holder and event totals',
      description: 'Totals of the whole chain, kept with each block.',
      errors: [],
      example: tokenExamples.stats,
    },
    async read({ view, tip }) {
      const counts = await getTokenCounts(view.reader);
      return {
        as_of: describeAsOf(tip),
        tokens: counts.tokens,
        holders: counts.holders,
        events: counts.creates + counts.mints + counts.transfers + counts.burns + counts.sweeps,
        events_by_kind: {
          CREATE: counts.creates,
          MINT: counts.mints,
          TRANSFER: counts.transfers,
          BURN: counts.burns,
          SWEEP: counts.sweeps,
        },
        invalid_operations: counts.invalid,
      };
    },
  });

  registerRead(app, context, {
    path: '/tok/hashes/:height',
    params: HeightParams,
    query: HashesQuery,
    response: TokenHashesView,
    dependsOn: 'tip',
    operation: {
      document: 'tokens',
      id: 'getTokenHashes',
      tag: 'Index',
      summary: 'Hashes of a height',
      description:
        'For finding the first height at which two services with the same `rules_id` differ: compare `chain_hash` by bisection.',
      errors: ['block_not_found', 'state_unavailable', 'state_too_large'],
      parameterExamples: { height: tokenExamples.hashes.height },
      example: tokenExamples.hashes,
    },
    read: async (input) => await readHashes(input, told),
  });

  registerRead(app, context, {
    path: '/tok/state',
    query: StateQuery,
    response: StatePageView,
    dependsOn: 'tip',
    cost: 5,
    operation: {
      document: 'tokens',
      id: 'listTokenState',
      tag: 'Index',
      summary: 'The state of all tokens, as it is hashed',
      description: describeStateList('Tokens, then balances'),
      errors: ['block_not_found', 'state_unavailable', 'cursor_expired'],
      example: tokenExamples.state,
    },
    read: async ({ view, tip, query }) => await readStatePage(view, tip, query, told),
  });
}
