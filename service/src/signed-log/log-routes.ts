/** The routes of a signed log: its checkpoint, its tiles, and proofs that it goes on from what was. */

import { CheckpointText, LogGrowthQuery, LogGrowthView } from '@coinfront/api/signed-log.ts';
import { bytesToHex, concatBytes } from '@coinfront/protocol/bytes.ts';
import type { Checkpoint } from '@coinfront/protocol/signed-log/checkpoint.ts';
import { writeEntryBundle } from '@coinfront/protocol/signed-log/entry-bundle.ts';
import { hashesAtLevel, parseTilePath, TILE_WIDTH, type Tile } from '@coinfront/protocol/signed-log/tiles.ts';
import type { FastifyInstance } from 'fastify';
import type { Precious } from '../db/precious.ts';
import { AppError, type ErrorCode } from '../errors.ts';
import { registerCall } from '../http/call-route.ts';
import type { DocumentName } from '../http/operation.ts';
import { cacheControls } from '../http/snapshot.ts';
import { findHead, listEntries, listTreeHashes } from './log-store.ts';
import type { SignedLogQuery, SignedLogTables } from './log-tables.ts';
import { proveGrowth } from './prove.ts';

export type LogRoutesContext = {
  precious: Precious;
  /** The log; undefined while there is none. */
  findOrigin(): Promise<string | undefined>;
  /** Signature lines of witnesses, which are shown below that of the log. */
  listCosignatures(head: Checkpoint): Promise<readonly string[]>;
  document: DocumentName;
  tag: string;
  /** Names of the operations: each is one of all documents together. */
  ids: { checkpoint: string; growth: string };
  /** Errors of whatever is before the routes. */
  errors?: readonly ErrorCode[];
  examples: { checkpoint: string; growth: { from: number; to: number; path: string[] } };
};

/** Registers the routes below `/log`. Paths and formats of tiles are those of C2SP `tlog-tiles`, and in no OpenAPI document. */
export function registerLogRoutes(app: FastifyInstance, context: LogRoutesContext): void {
  const { precious, document, tag, ids, examples } = context;
  const errors: readonly ErrorCode[] = ['log_empty', 'index_unavailable', ...(context.errors ?? [])];
  const db = () => precious.query<SignedLogTables>();
  registerCall(app, {
    method: 'GET',
    path: '/log/checkpoint',
    response: CheckpointText,
    cache: 'volatile',
    operation: {
      document,
      id: ids.checkpoint,
      tag,
      summary: 'Newest checkpoint of the log',
      description:
        'The head of the log as a signed note (C2SP tlog-checkpoint), with the lines of witnesses below. Keep it: the next one has ' +
        'to go on from it. docs/protocols/signed-log.md says how to check it, and where the tiles of the log are.',
      errors,
      contentType: 'text/plain; charset=utf-8',
      example: examples.checkpoint,
    },
    async call() {
      const head = await getHead(db(), await context.findOrigin());
      return head.note + (await context.listCosignatures(head)).join('');
    },
  });

  registerCall(app, {
    method: 'GET',
    path: '/log/consistency',
    query: LogGrowthQuery,
    response: LogGrowthView,
    cache: 'buried',
    cost: 5,
    operation: {
      document,
      id: ids.growth,
      tag,
      summary: 'Proof that the log goes on from an earlier checkpoint',
      description:
        'The consistency proof of RFC 6962 (2.1.2) between two sizes of the log. It has no hash where one is 0 or both are the same.',
      errors,
      parameterExamples: { from: examples.growth.from, to: examples.growth.to },
      example: examples.growth,
    },
    async call({ query: { from, to } }) {
      const { origin, size } = await getHead(db(), await context.findOrigin());
      if (from > to || to > size)
        throw new AppError(
          'invalid_parameter',
          `The log has ${size} entries: "from" is at most "to", and that at most ${size}.`,
        );
      return { from, to, path: (await proveGrowth(db(), origin, from, to)).map(bytesToHex) };
    },
  });

  app.get<{ Params: { '*': string } }>('/log/tile/*', { config: { cost: 2 } }, async (request, reply) => {
    const tile = parseTilePath(request.params['*']);
    const head = await getHead(db(), await context.findOrigin());
    const bytes = tile === undefined ? undefined : await readTile(db(), head, tile);
    if (bytes === undefined) throw new AppError('route_not_found', 'The log has no such tile.');
    reply.header('cache-control', cacheControls.buried).type('application/octet-stream');
    return reply.send(Buffer.from(bytes));
  });
}

async function getHead(db: SignedLogQuery, origin: string | undefined): Promise<Checkpoint> {
  const head = origin === undefined ? undefined : await findHead(db, origin);
  if (head !== undefined) return head;
  throw new AppError(
    'log_empty',
    'Nothing is in the log yet: it gets an entry when an epoch of blocks has ended.',
  );
}

async function readTile(
  db: SignedLogQuery,
  { origin, size }: Checkpoint,
  { level, index, width }: Tile,
): Promise<Uint8Array | undefined> {
  const from = index * TILE_WIDTH;
  const there = hashesAtLevel(size, level === 'entries' ? 0 : level);
  if (from + width > there) return undefined;
  if (level !== 'entries')
    return concatBytes(...(await listTreeHashes(db, origin, { level, from, count: width })));
  const entries = await listEntries(db, origin, from, width);
  return writeEntryBundle(entries.map((entry) => new TextEncoder().encode(entry)));
}
