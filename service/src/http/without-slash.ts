/** Slashes behind a path, for clients of an interface that takes it with and without them. */

import type { FastifyReply } from 'fastify';

/**
 * The path without its slashes, and where that is relative to what was asked for: so it holds behind a proxy that has put the
 * service below a path of its own. Undefined for a path without any.
 */
export function findWithoutSlash(url: string): { path: string; location: string } | undefined {
  const query = url.indexOf('?');
  const asked = query < 0 ? url : url.slice(0, query);
  let end = asked.length;
  while (end > 0 && asked[end - 1] === '/') end -= 1;
  if (end === asked.length || end === 0) return undefined;
  const path = asked.slice(0, end);
  const up = '../'.repeat(asked.length - end);
  return {
    path,
    location: `${up}${path.slice(path.lastIndexOf('/') + 1)}${query < 0 ? '' : url.slice(query)}`,
  };
}

/** Sends the client to another path; 308 keeps the method and the body. */
export function redirect(reply: FastifyReply, location: string): void {
  reply.code(308).header('location', location).header('cache-control', 'no-store').send();
}
