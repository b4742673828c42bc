import { OtsFileQuery } from '@coinfront/api/proof-calendar.ts';
import { DigestParams } from '@coinfront/api/proofs.ts';
import { getHexBytes } from '@coinfront/protocol/bytes.ts';
import type { OtsTimestamp } from '@coinfront/protocol/ots/parse-ots.ts';
import { writeOts } from '@coinfront/protocol/ots/write-ots.ts';
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { AppError } from '../../../errors.ts';
import { registerRead } from '../../../http/read-route.ts';
import type { ProofContext } from '../proof-context.ts';
import { proofExamples } from '../proof-examples.ts';
import { findTimestamp } from './find-timestamp.ts';

/** `/proof/ots/{sha256}`. */
export function registerOtsFileRoute(app: FastifyInstance, context: ProofContext): void {
  registerRead(app, context, {
    path: '/proof/ots/:sha256',
    params: DigestParams,
    query: OtsFileQuery,
    response: Type.Unsafe<string | Buffer>({ type: 'string', format: 'binary' }),
    // What the calendar takes in between turns a refusal into an answer, and no answer into another.
    dependsOn: 'tip',
    cost: 5,
    operation: {
      document: 'proofs',
      id: 'getOtsFile',
      tag: 'Proofs',
      summary: 'A proof as a file of OpenTimestamps',
      description:
        'The proof of a digest that is in a block, by a transaction of its own or by the calendar, as an `.ots` file. On Bitcoin and Litecoin other ' +
        'programs verify it; on other chains its attestation has a tag of its own (docs/protocols/proofs.md). A digest that is in no block yet, and ' +
        'one whose transaction has more than 4,096 bytes, is `timestamp_unavailable`; with `pending=true` a digest that waits in the calendar ' +
        'gives a file that programs for OpenTimestamps upgrade once it is final.',
      errors: ['timestamp_unavailable', 'index_unavailable'],
      parameterExamples: { sha256: proofExamples.proof.sha256 },
      contentType: 'application/octet-stream',
      example: '…',
    },
    async read({ params, query, ...input }) {
      const digest = params.sha256.toLowerCase();
      const write = (timestamp: OtsTimestamp): Buffer =>
        Buffer.from(writeOts({ hash: 'sha256', digest: getHexBytes(digest), timestamp }));
      const found = await findTimestamp(input, digest, context);
      if (found.state === 'mined') return write(found.timestamp);
      const uri = context.calendarUri;
      if (query.pending !== 'true')
        throw unavailable(
          found.state === 'unknown' || uri === undefined
            ? 'No block has this digest, or a tree of it, yet.'
            : 'The calendar has this digest, and no block has it yet. "pending=true" gives a file that can be upgraded later.',
        );
      if (found.state === 'unknown') throw unavailable('The calendar never took this digest.');
      if (uri === undefined)
        throw unavailable('This service has no public address that such a file could name.');
      return write({ attestations: [{ kind: 'pending', uri }], operations: [] });
    },
  });
}

function unavailable(detail: string): AppError {
  return new AppError('timestamp_unavailable', detail);
}
