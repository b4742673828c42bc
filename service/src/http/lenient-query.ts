import type { FastifyInstance } from 'fastify';
import type { TObject } from 'typebox';
import { malformedQuery, type RawQuery } from './query-string.ts';
import { findWithoutSlash, redirect } from './without-slash.ts';

/**
 * Reads the queries of a scope as the interface does that it imitates: names that a route does not know are left out, and a
 * name that is repeated is a list, its values joined by commas. What is malformed stays an error.
 */
export function readQueriesLeniently(scope: FastifyInstance): void {
  scope.addHook('preValidation', async (request, reply) => {
    // Of a route that ends with a parameter, a slash is that of an empty one.
    const other = findWithoutSlash(request.raw.url ?? '');
    if (other !== undefined) {
      redirect(reply, other.location);
      return reply;
    }
    const schema = request.routeOptions.schema?.querystring as TObject | undefined;
    const given = request.query as RawQuery;
    const query: RawQuery = Object.create(null);
    for (const name of Object.keys(schema?.properties ?? {})) {
      const value = given[name];
      if (value !== undefined) query[name] = Array.isArray(value) ? value.join(',') : value;
    }
    if (given[malformedQuery]) query[malformedQuery] = true;
    request.query = query;
  });
}
