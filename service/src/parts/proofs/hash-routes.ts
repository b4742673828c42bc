import { ProofHashesView } from '@coinfront/api/proofs.ts';
import { HeightParams } from '@coinfront/api/protocol-hashes.ts';
import { bytesToHex } from '@coinfront/protocol/bytes.ts';
import { hashEvents } from '@coinfront/protocol/hash-chain.ts';
import type { FastifyInstance } from 'fastify';
import { getBlockAt } from '../../chain/chain-reads.ts';
import { registerRead } from '../../http/read-route.ts';
import { describeAsOf } from '../../http/snapshot.ts';
import { describeHashes } from '../../replicas/describe-hashes.ts';
import { proofHashes } from './proof-anchors.ts';
import type { ProofContext } from './proof-context.ts';
import { proofExamples } from './proof-examples.ts';

/** `/proof/hashes/{height}`. */
export function registerProofHashRoutes(app: FastifyInstance, context: ProofContext): void {
  registerRead(app, context, {
    path: '/proof/hashes/:height',
    params: HeightParams,
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
      errors: ['block_not_found'],
      parameterExamples: { height: proofExamples.hashes.height },
      example: proofExamples.hashes,
    },
    async read({ view, tip, params: { height } }) {
      const block = await getBlockAt(view, height);
      const hashes = await describeHashes(view, block, proofHashes);
      return {
        as_of: describeAsOf(tip),
        ...hashes,
        events_hash: hashes.events_hash ?? bytesToHex(hashEvents([])),
        rules_id: context.rulesId,
      };
    },
  });
}
