import {
  CreatedKeyView,
  KeyList,
  KeyListQuery,
  KeyParams,
  KeyRequestBody,
  KeyView,
} from '@coinfront/api/merchant-keys.ts';
import { pageLimits } from '@coinfront/api/paging.ts';
import type { FastifyInstance } from 'fastify';
import { decodeTimedCursor, encodeTimedCursor } from '../../../http/cursor.ts';
import type { PaymentRouteContext } from '../payment-context.ts';
import { paymentQuery } from '../requests/payment-store.ts';
import { keyExamples } from './examples-keys.ts';
import { createNamedKey, listKeys, revokeKey, serialiseKey } from './key-store.ts';
import { registerMerchantCall } from './merchant-call.ts';

const tag = 'Merchant';

/** `/merchant/keys`. */
export function registerKeyRoutes(app: FastifyInstance, context: PaymentRouteContext): void {
  const { precious, now } = context;

  registerMerchantCall(app, context, {
    method: 'GET',
    path: '/merchant/keys',
    query: KeyListQuery,
    response: KeyList,
    operation: {
      id: 'listKeys',
      tag,
      summary: 'API keys, oldest first',
      description: 'Those that are valid, with the first characters of each. No key is shown twice.',
      errors: ['index_unavailable'],
      example: keyExamples.list,
    },
    async call({ merchant, query: { limit = pageLimits.default, cursor } }) {
      const above = decodeTimedCursor('keys', merchant.id, cursor);
      const rows = await listKeys(paymentQuery(precious), merchant.id, above, limit + 1, now());
      const shown = rows.slice(0, limit);
      const last = rows.length > limit ? shown.at(-1) : undefined;
      const next = last && { atMs: last.created_at, id: last.id };
      return {
        items: shown.map(serialiseKey),
        next_cursor: next ? encodeTimedCursor('keys', merchant.id, next) : null,
      };
    },
  });

  registerMerchantCall(app, context, {
    method: 'POST',
    path: '/merchant/keys',
    body: KeyRequestBody,
    response: CreatedKeyView,
    cost: 10,
    operation: {
      id: 'createKey',
      tag,
      status: 201,
      summary: 'Make an API key',
      description:
        'With a name and a scope: `read` for what only reads, `create` for a shop that makes and cancels payments, `all` for ' +
        'everything. The key is shown this once.',
      errors: ['keys_exhausted', 'index_unavailable'],
      bodyExample: keyExamples.request,
      example: keyExamples.created,
    },
    async call({ merchant, body }) {
      const { row, key } = await createNamedKey(context, merchant.id, body);
      return { ...serialiseKey(row), key };
    },
  });

  registerMerchantCall(app, context, {
    method: 'DELETE',
    path: '/merchant/keys/:key_id',
    params: KeyParams,
    response: KeyView,
    cost: 10,
    operation: {
      id: 'revokeKey',
      tag,
      summary: 'Revoke an API key',
      description:
        'At once; answers with what it was. A key may revoke itself, and one that the operator made; the last key of the scope ' +
        '`all` stays.',
      errors: ['key_not_found', 'key_is_last', 'index_unavailable'],
      parameterExamples: { key_id: keyExamples.key.id },
      example: keyExamples.key,
    },
    call: async ({ merchant, params }) => serialiseKey(await revokeKey(context, merchant.id, params.key_id)),
  });
}
