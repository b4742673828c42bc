import type { FastifyReply, FastifyRequest } from 'fastify';
import { matchesEtag } from './snapshot.ts';

/** Names an answer that is there by `etag`, and tells whether the client has it already. */
export function isNamed(request: FastifyRequest, reply: FastifyReply, etag: string): boolean {
  reply.header('etag', etag);
  const asked = request.headers['if-none-match'];
  return asked === '*' || matchesEtag(asked, etag);
}
