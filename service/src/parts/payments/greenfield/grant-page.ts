/** `/api-keys/authorize`: plugins send a merchant here for a key, and expect it back by a form of the merchant's browser. */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../../errors.ts';
import type { Page } from '../../../http/operation.ts';
import { parseQuery } from '../../../http/query-string.ts';
import { checkApiKey } from '../merchants/authenticate.ts';
import { createNamedKey, noteKeyUse } from '../merchants/key-store.ts';
import { type GrantRequest, isOwnForm, readGrantRequest } from './grant-rules.ts';
import type { GreenfieldContext } from './greenfield-context.ts';
import { scopeFor, writePermissions } from './permission-rules.ts';
import { type GrantedKey, renderGranted, renderGrantForm, renderGrantRefusal } from './render-grant.ts';

const path = '/api-keys/authorize';
const formType = 'application/x-www-form-urlencoded';
/** Units: a key is made with each. */
const cost = 20;
const formLimit = 16_384;

/** Registers the page and its form. */
export function registerGrantPage(app: FastifyInstance, context: GreenfieldContext): void {
  const config = { renderError };

  app.get(path, { config }, (request, reply) => {
    const asked = readGrantRequest(request.query as Record<string, string | string[]>);
    return asked.ok ? show(reply, 200, renderGrantForm(asked.value)) : show(reply, 400, refuse(asked.reason));
  });

  app.register(async (scope) => {
    scope.addContentTypeParser(
      formType,
      { parseAs: 'string' },
      async (request: FastifyRequest, text: string | Buffer) =>
        context.bodies.readText(request, text as string),
    );
    scope.post(path, { config: { ...config, cost }, bodyLimit: formLimit }, async (request, reply) => {
      const fields = parseQuery(typeof request.body === 'string' ? request.body : '');
      const asked = readGrantRequest(fields);
      if (!asked.ok) return show(reply, 400, refuse(asked.reason));
      const { 'sec-fetch-site': site, origin } = request.headers;
      if (!isOwnForm({ site: site as string | undefined, origin }, hostsOf(context, request))) {
        return show(reply, 403, refuse('was sent by another page than this one'));
      }
      try {
        const granted = await grant(context, asked.value, fields.key);
        return show(reply, 200, renderGranted(asked.value, granted));
      } catch (error) {
        if (!(error instanceof AppError) || error.status >= 500) throw error;
        return show(reply, error.status, renderGrantForm(asked.value, error.message));
      }
    });
  });
}

/**
 * Makes the key that an application asked for, for the merchant of the key that was typed in.
 *
 * @throws AppError `api_key_invalid`, `merchant_disabled`, `key_scope_insufficient`, `keys_exhausted`
 */
async function grant(
  context: GreenfieldContext,
  { applicationName, granted }: GrantRequest,
  typed: string | string[] | undefined,
): Promise<GrantedKey> {
  const given = typeof typed === 'string' ? typed.trim() : undefined;
  const refused = () => new AppError('api_key_invalid', 'This is no valid API key of a merchant here.');
  const { merchant, key } = await checkApiKey(context, given, refused);
  if (key.scope !== 'all') {
    throw new AppError('key_scope_insufficient', 'This key may not make others; use one of scope “all”.');
  }
  await noteKeyUse(context.precious, key, context.now());
  const asked = { name: applicationName, scope: scopeFor(granted) };
  const made = await createNamedKey(context, merchant.id, asked, granted);
  return { apiKey: made.key, userId: merchant.id, permissions: writePermissions(granted, merchant.id) };
}

function hostsOf({ publicUrl }: GreenfieldContext, { host }: FastifyRequest): string[] {
  return publicUrl === '' ? [host] : [host, new URL(publicUrl).host];
}

function show(reply: FastifyReply, status: number, { html, headers }: Page): FastifyReply {
  return reply.code(status).headers(headers).type('text/html; charset=utf-8').send(html);
}

function refuse(reason: string): Page {
  return renderGrantRefusal(
    'This request for a key cannot be shown',
    `It ${reason}. Begin again in your shop.`,
  );
}

function renderError(error: AppError, { id }: FastifyRequest): Page {
  return renderGrantRefusal('This page cannot be shown now', `${error.message} (Request ${id})`);
}
