import { bytesToHex } from '@coinfront/protocol/bytes.ts';
import { sha256 } from '@coinfront/protocol/hash.ts';
import { chainOperations, writeOtsTimestamp } from '@coinfront/protocol/ots/write-ots.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../../../errors.ts';
import { readCharged } from '../../../http/charged-read.ts';
import { notReady } from '../../../http/read-route.ts';
import { cacheControls } from '../../../http/snapshot.ts';
import { getCalendar } from '../calendar/calendar-routes.ts';
import type { ProofContext } from '../proof-context.ts';
import { otsPrefix } from './calendar-uri.ts';
import { findTimestamp } from './find-timestamp.ts';

/** What calendars of OpenTimestamps answer with, and their clients accept. */
const contentType = 'application/vnd.opentimestamps.v1';

/** Clients send a hash, of 32 bytes nearly always; calendars take up to 64. */
const MAX_DIGEST_BYTES = 64;
const DIGEST_BYTES = 32;

/**
 * The interface of calendars of OpenTimestamps, so that its programs stamp here: `POST /ots/digest` and `GET /ots/timestamp/{commitment}`, as
 * `opentimestamps-server` has them. Errors are text, whose first 160 characters those programs show.
 */
export function registerOtsCalendarRoutes(app: FastifyInstance, context: ProofContext): void {
  app.textErrors.add(otsPrefix);
  app.register(async (scope) => registerSubmission(scope, context), { prefix: otsPrefix });
  app.register(async (scope) => registerTimestamps(scope, context), { prefix: otsPrefix });
}

function registerSubmission(app: FastifyInstance, { calendar, calendarUri, bodies }: ProofContext): void {
  // Of any content type: clients send these bytes as those of a form.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    '*',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, bytes: string | Buffer) => {
      await bodies.readText(request, (bytes as Buffer).toString('latin1'));
      return bytes;
    },
  );
  app.post('/digest', { bodyLimit: MAX_DIGEST_BYTES, config: { cost: 10 } }, async (request, reply) => {
    const message = request.body;
    if (!(message instanceof Uint8Array) || message.length === 0)
      throw new AppError(
        'invalid_body',
        `The body is a digest of 1 to ${MAX_DIGEST_BYTES} bytes, as they are.`,
      );
    const taking = getCalendar(calendar);
    if (calendarUri === undefined)
      throw new AppError('calendar_off', 'This service has no public address that a timestamp could name.');
    const isDigest = message.length === DIGEST_BYTES;
    const digest = isDigest ? message : sha256(message);
    await taking.take([bytesToHex(digest)], request.ip);
    const timestamp = chainOperations(isDigest ? [] : [{ kind: 'sha256' }], {
      kind: 'pending',
      uri: calendarUri,
    });
    reply.header('cache-control', cacheControls.none).type(contentType);
    return reply.send(Buffer.from(writeOtsTimestamp(timestamp)));
  });
}

function registerTimestamps(app: FastifyInstance, context: ProofContext): void {
  const { finalConfirmations } = context.rules;
  app.get<{ Params: { commitment: string } }>(
    '/timestamp/:commitment',
    { config: { cost: 5 } },
    async (request, reply) => {
      const commitment = request.params.commitment.toLowerCase();
      if (!isCommitment(commitment))
        throw new AppError(
          'invalid_parameter',
          `A commitment is 1 to ${MAX_DIGEST_BYTES} bytes in hex; this one has ${commitment.length} characters.`,
        );
      const found = await readCharged(app, request, context.readChain, async (view, charge) => {
        const { tip } = view;
        if (tip === undefined) throw notReady();
        // Of other lengths none was promised.
        if (commitment.length !== 2 * DIGEST_BYTES) return { state: 'unknown' } as const;
        return await findTimestamp({ view, tip, charge }, commitment, context);
      });
      if (found.state === 'unknown') throw notFound('This calendar never took this commitment');
      if (found.state === 'pending') throw notFound('Pending, the commitment waits for a block');
      // Programs that have it never ask again.
      if (found.confirmations < finalConfirmations)
        throw notFound(`Pending, ${found.confirmations} of ${finalConfirmations} confirmations`);
      reply.header('cache-control', cacheControls.buried).type(contentType);
      return reply.send(Buffer.from(writeOtsTimestamp(found.timestamp)));
    },
  );
}

function isCommitment(text: string): boolean {
  return text.length <= 2 * MAX_DIGEST_BYTES && /^(?:[0-9a-f]{2})+$/.test(text);
}

function notFound(detail: string): AppError {
  return new AppError('commitment_not_found', detail);
}
