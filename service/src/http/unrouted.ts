/** Answers what no route answers: 404, 405, where the route is, or what a browser asks before a request of another origin. */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';
import { mustClose } from './admission.ts';
import type { createMethodIndex } from './allowed-methods.ts';
import { allowedRequestHeaders } from './common-headers.ts';
import { routeNotFound } from './problem.ts';
import { findWithoutSlash, redirect } from './without-slash.ts';

export type UnroutedOptions = {
  /** What every request passes first. */
  admit: (request: FastifyRequest, reply: FastifyReply) => void;
  /** Where a page is whose path was written in another way; undefined where there is none. */
  findSpelling?: ((url: string) => string | undefined) | undefined;
};

/** Registers the answer, which looks at no body. */
export function registerUnrouted(
  app: FastifyInstance,
  methods: ReturnType<typeof createMethodIndex>,
  { admit, findSpelling }: UnroutedOptions,
): void {
  const answer = (request: FastifyRequest, reply: FastifyReply): void => {
    const [path = ''] = (request.raw.url ?? '').split('?', 1);
    const allowed = methods.find(path);
    if (allowed.length === 0 && app.textErrors.covers(path)) {
      const other = findWithoutSlash(request.raw.url ?? '');
      if (other !== undefined && methods.find(other.path).length > 0) {
        redirect(reply, other.location);
        return;
      }
    }
    if (allowed.length === 0 && (request.method === 'GET' || request.method === 'HEAD')) {
      const page = findSpelling?.(request.raw.url ?? '');
      if (page !== undefined) {
        redirect(reply, page);
        return;
      }
    }
    if (allowed.length === 0) throw routeNotFound(request.method);
    const allow = allowed.join(', ');
    if (request.method !== 'OPTIONS') {
      throw new AppError('method_not_allowed', `This path answers ${allow}.`, { allow });
    }
    if (mustClose(request)) reply.header('connection', 'close');
    reply
      .code(204)
      .header('allow', allow)
      .header('access-control-allow-methods', allow)
      .header('access-control-allow-headers', allowedRequestHeaders)
      .header('access-control-max-age', '86400')
      .send();
  };
  // A scope of its own, for its hook: Fastify reads the body before it calls the handler.
  app.register(async (scope) => {
    scope.addHook('onRequest', (request, reply, done) => {
      if (!request.is404) return done();
      try {
        admit(request, reply);
        answer(request, reply);
      } catch (error) {
        done(error as Error);
      }
    });
    scope.setNotFoundHandler(answer);
  });
}
