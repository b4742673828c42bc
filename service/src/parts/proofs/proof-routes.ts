import { PageQuery, pageLimits } from '@coinfront/api/paging.ts';
import { DigestParams, ProofStatusView, ProofView, RecentAnchorList } from '@coinfront/api/proofs.ts';
import { bytesToHex, getHexBytes, toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { CHAIN_START } from '@coinfront/protocol/hash-chain.ts';
import type { FastifyInstance } from 'fastify';
import type { Static } from 'typebox';
import type { ChainView } from '../../chain/chain-view.ts';
import { createPlaceReader } from '../../chain/tx-place.ts';
import { makeRowCursor, readRowCursor } from '../../http/position-cursor.ts';
import { registerRead } from '../../http/read-route.ts';
import { describeAsOf } from '../../http/snapshot.ts';
import { proofHashes } from './proof-anchors.ts';
import type { ProofContext } from './proof-context.ts';
import { proofExamples } from './proof-examples.ts';
import { type AnchorRow, countAnchors, listAnchors } from './proof-store.ts';
import { readProof, serialiseAnchor } from './read-proof.ts';

/** `/proof/status`, `/proof/lookup/{sha256}` and `/proof/recent`. */
export function registerProofRoutes(app: FastifyInstance, context: ProofContext): void {
  const { rules } = context;

  registerRead(app, context, {
    path: '/proof/status',
    response: ProofStatusView,
    dependsOn: 'volatile',
    operation: {
      document: 'proofs',
      id: 'getProofStatus',
      tag: 'Proofs',
      summary: 'State of the proof service',
      description:
        'How far anchors are indexed, how many there are, and whether this service sends transactions. `replicas` are the peers ' +
        'that the operator compares this service with.',
      errors: [],
      example: proofExamples.status,
    },
    async read({ view, tip }) {
      const wallet = await context.anchorer?.describeBudget();
      const hashes = await proofHashes.findLatest(view.reader);
      const state = await proofHashes.findLatestState(view.reader);
      return {
        as_of: describeAsOf(tip),
        marker: bytesToHex(rules.marker),
        height: tip.height,
        tip: toDisplayHash(tip.hash),
        anchors: await countAnchors(view.reader),
        events_hash: bytesToHex(hashes?.events ?? CHAIN_START),
        chain_hash: bytesToHex(hashes?.chain ?? CHAIN_START),
        state_hash: state?.state ? { height: state.height, hash: bytesToHex(state.state) } : null,
        rules_id: context.rulesId,
        replicas: context.listReplicas(),
        final_confirmations: rules.finalConfirmations,
        wallet: wallet ?? { enabled: false, daily_limit: 0, daily_limit_per_client: 0, left_today: 0 },
        calendar: await describeCalendar(context),
      };
    },
  });

  registerRead(app, context, {
    path: '/proof/lookup/:sha256',
    params: DigestParams,
    query: PageQuery,
    response: ProofView,
    dependsOn: 'mempool',
    cost: 5,
    operation: {
      document: 'proofs',
      id: 'lookUpProof',
      tag: 'Proofs',
      summary: 'The proof of a digest',
      description:
        'The primary anchor is the first one in the chain, with all that checks it offline: the transaction without ' +
        'witness, the merkle branch and the header. Check that output `vout` is `script`, that the transaction hashes ' +
        'to the txid and the branch to the merkle root of the header, and that the header is one of your chain. A ' +
        'digest that nobody anchored is `unknown`, with status 200.',
      errors: ['cursor_expired'],
      parameterExamples: { sha256: proofExamples.proof.sha256 },
      example: proofExamples.proof,
    },
    async read({ view, tip, params, query, charge }) {
      const page = { limit: query.limit ?? pageLimits.default, cursor: query.cursor, charge };
      return await readProof(view, tip, getHexBytes(params.sha256.toLowerCase()), rules, page);
    },
  });

  registerRead(app, context, {
    path: '/proof/recent',
    query: PageQuery,
    response: RecentAnchorList,
    dependsOn: 'tip',
    operation: {
      document: 'proofs',
      id: 'listRecentAnchors',
      tag: 'Proofs',
      summary: 'Newest anchors in the chain',
      description: 'Newest first: each output that carries a digest, the first of a digest or not.',
      errors: ['cursor_expired'],
      example: proofExamples.recent,
    },
    async read({ view, tip, query }) {
      const limit = query.limit ?? pageLimits.default;
      const from = await readRowCursor(view, recentList, query.cursor, 2);
      const before = from && ([from.height, from.numbers[0]!, from.numbers[1]!] as const);
      const rows = await listAnchors(view.reader, before, limit + 1);
      const shown = rows.slice(0, limit);
      const last = shown.at(-1);
      return {
        items: await serialiseRows(view, tip, shown),
        next_cursor:
          rows.length > limit && last !== undefined
            ? await makeRowCursor(view, recentList, last.height, [last.position, last.vout])
            : null,
      };
    },
  });
}

async function describeCalendar({ calendar, calendarUri }: ProofContext) {
  const { intervalMs, dailyLimit, dailyLimitPerClient } = calendar?.bounds ?? {
    intervalMs: 0,
    dailyLimit: 0,
    dailyLimitPerClient: 0,
  };
  const { waiting, leftToday } = (await calendar?.describe()) ?? { waiting: 0, leftToday: 0 };
  return {
    enabled: calendar !== undefined,
    interval_seconds: intervalMs / 1000,
    daily_limit: dailyLimit,
    daily_limit_per_client: dailyLimitPerClient,
    left_today: leftToday,
    waiting,
    opentimestamps: calendar === undefined ? null : (calendarUri ?? null),
  };
}

const recentList = { kind: 'proofs', subject: 'recent' };

async function serialiseRows(view: ChainView, tip: NonNullable<ChainView['tip']>, rows: AnchorRow[]) {
  const readPlace = createPlaceReader(view);
  const items: Static<typeof RecentAnchorList>['items'] = [];
  for (const { height, position, vout, digest } of rows) {
    const { block, txid } = await readPlace(height, position);
    items.push({
      sha256: bytesToHex(digest),
      ...serialiseAnchor({ txid, vout, height, position }, block, tip),
    });
  }
  return items;
}
