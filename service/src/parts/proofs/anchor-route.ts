import { pageLimits } from '@coinfront/api/paging.ts';
import { AnchorBody, type AnchorResultJson, AnchorResultView } from '@coinfront/api/proofs.ts';
import { bytesToHex, concatBytes, getHexBytes } from '@coinfront/protocol/bytes.ts';
import { anchorScript } from '@coinfront/protocol/proofs/anchor.ts';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../../errors.ts';
import { registerCall } from '../../http/call-route.ts';
import { readCharged } from '../../http/charged-read.ts';
import { getCalendar } from './calendar/calendar-routes.ts';
import { describeTaken } from './calendar/read-leaf.ts';
import type { ProofContext } from './proof-context.ts';
import { proofExamples } from './proof-examples.ts';
import { readProof } from './read-proof.ts';

/** `POST /proof/anchor`. */
export function registerAnchorRoute(app: FastifyInstance, context: ProofContext): void {
  const { rules, anchorer, calendar, readChain } = context;
  registerCall(app, {
    method: 'POST',
    path: '/proof/anchor',
    body: AnchorBody,
    response: AnchorResultView,
    cache: 'none',
    cost: 10,
    operation: {
      document: 'proofs',
      id: 'anchorDigest',
      tag: 'Proofs',
      summary: 'Anchor a digest',
      description:
        'A digest that is anchored already, or on its way, is answered with what there is. Otherwise, where the operator ' +
        'pays for it, the service sends a transaction of its own wallet and answers 202 with its txid; where not, it ' +
        "answers with the script to put into a transaction of the caller's own wallet. Asking again is safe: one " +
        'digest never gets two transactions. With `form: "calendar"` the digest is committed and answered at once, and anchored with others: 202 while ' +
        'it waits for a tree; `/proof/leaf/{sha256}` has its proof.',
      errors: ['not_ready', 'index_unavailable', 'calendar_off', 'calendar_full', 'digests_exhausted'],
      sameBodyStatuses: [202],
      bodyExample: { sha256: proofExamples.proof.sha256 },
      example: proofExamples.anchor,
    },
    async call({ body, request, reply }): Promise<AnchorResultJson> {
      const digest = getHexBytes(body.sha256.toLowerCase());
      const common = {
        sha256: bytesToHex(digest),
        script: bytesToHex(anchorScript(digest, rules.marker)),
        payload: bytesToHex(concatBytes(rules.marker, digest)),
        reason: null,
        proof: null,
        leaf: null,
      };
      if (body.form === 'calendar') {
        const [taken] = await getCalendar(calendar).take([common.sha256], request.ip);
        const leaf = describeTaken(taken!);
        if (leaf.batch === null) reply.code(202);
        return { ...common, result: 'leaf', txid: null, leaf };
      }
      const proof = await readCharged(app, request, readChain, async (view, charge) => {
        if (view.tip === undefined)
          throw new AppError('not_ready', 'No block is indexed yet. See /api/v1/health.', {
            'retry-after': '5',
          });
        const page = { limit: pageLimits.default, cursor: undefined, charge };
        return await readProof(view, view.tip, digest, rules, page);
      });
      if (proof.primary !== null) return { ...common, result: 'anchored', txid: proof.primary.txid, proof };
      const [pending] = proof.pending;
      if (pending !== undefined) return { ...common, result: 'pending', txid: pending.txid, proof };
      const outcome = (await anchorer?.anchor(digest, request.ip)) ?? {
        ok: false,
        reason: 'no_wallet',
      };
      if (!outcome.ok) return { ...common, result: 'script', txid: null, reason: outcome.reason };
      reply.code(202);
      return { ...common, result: 'submitted', txid: outcome.txid };
    },
  });
}
