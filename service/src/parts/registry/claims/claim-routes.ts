import {
  ClaimParams,
  ClaimView,
  RegisterBody,
  VerifiedClaimView,
  VerifyClaimBody,
} from '@coinfront/api/registry.ts';
import type { FastifyInstance } from 'fastify';
import { registerCall } from '../../../http/call-route.ts';
import { describeNode } from '../nodes/describe-node.ts';
import { findNode } from '../nodes/node-store.ts';
import type { RegistryContext } from '../registry-context.ts';
import { registryExamples } from '../registry-examples.ts';
import type { RegistryTables } from '../schema/registry-tables.ts';
import { getClaim, makeClaim } from './make-claim.ts';
import { verifyClaim } from './register-node.ts';
import { serialiseClaim } from './serialise-claim.ts';

/** `POST /register`, `GET /claim/{id}`, `POST /claim/verify`. */
export function registerClaimRoutes(app: FastifyInstance, context: RegistryContext): void {
  registerCall(app, {
    method: 'POST',
    path: '/register',
    body: RegisterBody,
    response: ClaimView,
    cache: 'none',
    cost: 10,
    operation: {
      document: 'nodes',
      id: 'registerNode',
      tag: 'Claims',
      summary: 'Ask for the text that registers a node',
      description:
        'The first of two steps. The text names this service, the registry, the network, the node key, the endpoint and the ' +
        'payout address; node key and payout address both sign it within an hour. The same key again renews or moves its ' +
        'registration. An endpoint that another node holds changes hands only when the node there shows the token of the claim.',
      status: 201,
      errors: [
        'node_key_invalid',
        'endpoint_invalid',
        'endpoint_refused',
        'address_invalid',
        'network_full',
        'registry_full',
        'node_blocked',
        'claims_exhausted',
        'registry_closed',
        'index_unavailable',
      ],
      bodyExample: registryExamples.registration,
      example: registryExamples.claim,
    },
    async call({ body, request }) {
      return serialiseClaim(await makeClaim(context, body, request.ip), context);
    },
  });

  registerCall(app, {
    method: 'GET',
    path: '/claim/:id',
    params: ClaimParams,
    response: ClaimView,
    cache: 'none',
    operation: {
      document: 'nodes',
      id: 'getClaim',
      tag: 'Claims',
      summary: 'Ownership claim',
      description: 'The text that has to be signed, by whom, and what became of the claim.',
      errors: ['claim_not_found', 'index_unavailable'],
      parameterExamples: { id: registryExamples.claim.id },
      example: registryExamples.claim,
    },
    async call({ params }) {
      return serialiseClaim(await getClaim(context, params.id), context);
    },
  });

  registerCall(app, {
    method: 'POST',
    path: '/claim/verify',
    body: VerifyClaimBody,
    // A BIP-322 proof of 16 KiB, and the rest.
    bodyLimit: 32_768,
    response: VerifiedClaimView,
    cache: 'none',
    cost: 10,
    operation: {
      document: 'nodes',
      id: 'verifyClaim',
      tag: 'Claims',
      summary: 'Verify ownership of a claim',
      description:
        'Takes the signatures of payout address and node key over the text of the claim, and registers the node. A claim is ' +
        'good once; a wrong signature leaves it as it is. 202 when another node holds the endpoint: see `awaiting_endpoint`.',
      sameBodyStatuses: [202],
      errors: [
        'claim_not_found',
        'claim_expired',
        'claim_used',
        'signature_invalid',
        'network_full',
        'registry_full',
        'node_blocked',
        'claims_exhausted',
        'index_unavailable',
      ],
      bodyExample: registryExamples.signed,
      example: { claim: registryExamples.verifiedClaim, node: registryExamples.node },
    },
    async call({ body, request, reply }) {
      const claim = await verifyClaim(context, body, request.ip);
      if (claim.state === 'awaiting_endpoint') reply.code(202);
      const row = await findNode(context.precious.query<RegistryTables>(), claim.node_key);
      return {
        claim: serialiseClaim(claim, context),
        node: row === undefined ? null : await describeNode(context, row),
      };
    },
  });
}
