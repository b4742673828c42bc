import {
  DigestBatchBody,
  DigestBatchView,
  LeafView,
  maxBatchDigests,
} from '@coinfront/api/proof-calendar.ts';
import { DigestParams } from '@coinfront/api/proofs.ts';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../../../errors.ts';
import { registerCall } from '../../../http/call-route.ts';
import { registerRead } from '../../../http/read-route.ts';
import type { ProofContext } from '../proof-context.ts';
import { proofExamples } from '../proof-examples.ts';
import type { Calendar } from './calendar.ts';
import { describeTaken, readLeaf } from './read-leaf.ts';

/** Digests that cost one request unit. */
const DIGESTS_OF_UNIT = 50;
/** A digest in quotes with its comma, and what is around it. */
const BATCH_BYTES = maxBatchDigests * 72 + 1_024;

/** `/proof/batch` and `/proof/leaf/{sha256}`. */
export function registerCalendarRoutes(app: FastifyInstance, context: ProofContext): void {
  const { rules, calendar, findLeaf } = context;

  registerCall(app, {
    method: 'POST',
    path: '/proof/batch',
    body: DigestBatchBody,
    bodyLimit: BATCH_BYTES,
    response: DigestBatchView,
    cache: 'none',
    operation: {
      document: 'proofs',
      id: 'anchorDigests',
      tag: 'Proofs',
      summary: 'Have many digests anchored together',
      description:
        `Takes up to ${maxBatchDigests} digests for the calendar, as \`form: "calendar"\` of \`/proof/anchor\` takes one: each is committed before this answers. ` +
        'Asking again is safe: a digest that was taken before is what it was. ' +
        `Costs 1 request unit and 1 more for each ${DIGESTS_OF_UNIT} digests.`,
      errors: ['calendar_off', 'calendar_full', 'digests_exhausted', 'index_unavailable'],
      bodyExample: { sha256: [proofExamples.proof.sha256] },
      example: { items: [proofExamples.taken] },
    },
    async call({ body, request, reply }) {
      const taking = getCalendar(calendar);
      const units = Math.floor(body.sha256.length / DIGESTS_OF_UNIT);
      // One was taken before the body was read.
      if (units > 0) app.admission.take(request, reply, units);
      const digests = body.sha256.map((digest) => digest.toLowerCase());
      return { items: (await taking.take(digests, request.ip)).map(describeTaken) };
    },
  });

  registerRead(app, context, {
    path: '/proof/leaf/:sha256',
    params: DigestParams,
    response: LeafView,
    dependsOn: 'volatile',
    cost: 5,
    operation: {
      document: 'proofs',
      id: 'getCalendarLeaf',
      tag: 'Proofs',
      summary: 'What the calendar has of a digest, and its proof',
      description:
        'The proof of a digest that was anchored with others: its path to the root of a tree, and the proof of the root as `/proof/lookup` gives ' +
        'it. Check that SHA-256 of a byte 00 and the digest leads by the path to the root (RFC 9162, 2.1.3.2), and then the root as a digest. A ' +
        'digest that the calendar never took is `unknown`, with status 200.',
      errors: ['index_unavailable'],
      parameterExamples: { sha256: proofExamples.proof.sha256 },
      example: proofExamples.leaf,
    },
    async read({ view, tip, params }) {
      const digest = params.sha256.toLowerCase();
      return await readLeaf(view, tip, digest, await findLeaf(digest), rules);
    },
  });
}

/** @throws AppError `calendar_off` */
export function getCalendar(calendar: Calendar | undefined): Calendar {
  if (calendar !== undefined) return calendar;
  throw new AppError(
    'calendar_off',
    'This service has no wallet for a calendar and takes no digests. Ask /proof/anchor for the script, and anchor with your own wallet.',
  );
}
