import { ProofHashesView } from '@coinfront/api/proofs.ts';
import { HeightParams } from '@coinfront/api/protocol-hashes.ts';
import { HashesQuery, StatePageView, StateQuery } from '@coinfront/api/protocol-state.ts';
import { bytesToHex } from '@coinfront/protocol/bytes.ts';
import { hashEvents } from '@coinfront/protocol/hash-chain.ts';
import type { FastifyInstance } from 'fastify';
import { registerRead } from '../../http/read-route.ts';
import { readHashes } from '../../replicas/describe-hashes.ts';
import { describeStateList, readStatePage } from '../../replicas/state-page.ts';
import { createToldState } from '../../replicas/told-state.ts';
import { proofHashes } from './proof-anchors.ts';
import type { ProofContext } from './proof-context.ts';
import { proofExamples } from './proof-examples.ts';
import { proofState } from './proof-state.ts';

const noEvents = bytesToHex(hashEvents([]));

/** `/proof/hashes/{height}` and `/proof/state`. */
export function registerProofHashRoutes(app: FastifyInstance, context: ProofContext): void {
  const { rulesId } = context;
  const told = createToldState(proofState, { name: 'proofs', hashes: proofHashes, rulesId });

  registerRead(app, context, {
    path: '/proof/hashes/:height',
    params: HeightParams,
    query: HashesQuery,
    response: ProofHashesView,
    dependsOn: 'tip',
    operation: {
      document: 'proofs',
      id: 'getProofHashes',
      tag: 'Proofs',
      summary: 'Hashes of a block',
      description:
        'Two services that followed the same blocks with the same marker (`rules_id`) have the same hashes at every height; the ' +
        'first height that differs is found by bisection of `chain_hash`.',
      errors: ['block_not_found', 'state_unavailable', 'state_too_large'],
      parameterExamples: { height: proofExamples.hashes.height },
      example: proofExamples.hashes,
    },
    async read(input) {
      const hashes = await readHashes(input, told);
      return { ...hashes, events_hash: hashes.events_hash ?? noEvents };
    },
  });

  registerRead(app, context, {
    path: '/proof/state',
    query: StateQuery,
    response: StatePageView,
    dependsOn: 'tip',
    cost: 5,
    operation: {
      document: 'proofs',
      id: 'listProofState',
      tag: 'Proofs',
      summary: 'All digests with their primary anchors, as they are hashed',
      description: describeStateList('Digests'),
      errors: ['block_not_found', 'state_unavailable', 'cursor_expired'],
      example: proofExamples.state,
    },
    read: async ({ view, tip, query }) => await readStatePage(view, tip, query, told),
  });
}
