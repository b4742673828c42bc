/** The routes of a witness: those of C2SP `tlog-witness`, which are in no OpenAPI document, and what it refused. */

import { RefusedHeadList } from '@coinfront/api/signed-log.ts';
import { bytesToHex } from '@coinfront/protocol/bytes.ts';
import { sha256 } from '@coinfront/protocol/hash.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Precious } from '../../db/precious.ts';
import { AppError } from '../../errors.ts';
import { registerCall } from '../../http/call-route.ts';
import type { DocumentName } from '../../http/operation.ts';
import type { BodyReader } from '../../http/read-body.ts';
import { cacheControls } from '../../http/snapshot.ts';
import type { SignedLogTables } from '../log-tables.ts';
import { answerAddCheckpoint, type WitnessSigner } from './add-checkpoint.ts';
import { listRefusals } from './refusal-store.ts';
import { listWitnessedLogs } from './witness-store.ts';

export type WitnessRoutesContext = {
  precious: Precious;
  bodies: Pick<BodyReader, 'readText'>;
  /** Undefined while this process has no key to sign by. */
  findSigner(): WitnessSigner | undefined;
  now: () => number;
  document: DocumentName;
  tag: string;
};

const MAX_BODY = 65_536;
const SHOWN = 100;

/** Registers the routes below `/witness`. */
export function registerWitnessRoutes(app: FastifyInstance, context: WitnessRoutesContext): void {
  const { precious, now, document, tag } = context;
  const db = () => precious.query<SignedLogTables>();
  registerCall(app, {
    method: 'GET',
    path: '/witness/refusals',
    response: RefusedHeadList,
    cache: 'volatile',
    operation: {
      document,
      id: 'listRefusedHeads',
      tag,
      summary: 'Checkpoints that this witness refused',
      description:
        'Checkpoints that this service has not cosigned as a witness, each with the one that it has cosigned. `is_proof`: the log has signed ' +
        'both, and there is no log that has both; these come first. Of others the reason says what was seen, which proves nothing to ' +
        'who has not seen it. Newest first. Empty is good.',
      errors: ['index_unavailable'],
      example: { items: [] },
    },
    async call() {
      const rows = await listRefusals(db(), SHOWN);
      return {
        items: rows.map(({ origin, reason, isProof, note, kept_note, refused_at }) => ({
          origin,
          reason,
          is_proof: isProof,
          refused: note,
          cosigned: kept_note,
          refused_at: new Date(Number(refused_at)).toISOString(),
        })),
      };
    },
  });

  app.get<{ Params: { log: string } }>('/witness/:log/checkpoint', async (request, reply) => {
    const logs = /^[0-9a-f]{64}$/.test(request.params.log) ? await listWitnessedLogs(db()) : [];
    const log = logs.find(({ origin }) => hashOrigin(origin) === request.params.log);
    if (log === undefined || log.size === 0)
      throw new AppError('log_empty', 'This witness has cosigned no checkpoint of such a log.');
    reply.header('cache-control', cacheControls.volatile).type('text/plain; charset=utf-8');
    return reply.send(log.note + log.line);
  });

  app.register(async (scope) => {
    // Of any content type, or none.
    scope.removeContentTypeParser('application/json');
    scope.addContentTypeParser(
      '*',
      { parseAs: 'string' },
      async (request: FastifyRequest, text: string | Buffer) =>
        context.bodies.readText(request, text as string),
    );
    const options = { bodyLimit: MAX_BODY, config: { cost: 10 } };
    scope.post('/witness/add-checkpoint', options, async (request, reply) => {
      const signer = context.findSigner();
      const { status, text } =
        signer === undefined
          ? { status: 404, text: 'This service is no witness.\n' }
          : await answerAddCheckpoint({ precious, signer, now }, String(request.body ?? ''));
      reply.header('cache-control', cacheControls.none).code(status);
      reply.type(status === 409 ? 'text/x.tlog.size' : 'text/plain; charset=utf-8');
      return reply.send(text);
    });
  });
}

function hashOrigin(origin: string): string {
  return bytesToHex(sha256(new TextEncoder().encode(origin)));
}
