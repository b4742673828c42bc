import {
  MerchantChangeBody,
  type MerchantJson,
  MerchantView,
  PoolImportBody,
  PoolImportResultView,
  PoolList,
  PoolListQuery,
  PoolRemovalBody,
  PoolRemovalResultView,
} from '@coinfront/api/merchants.ts';
import { pageLimits } from '@coinfront/api/paging.ts';
import type { FastifyInstance } from 'fastify';
import { decodeCursor, encodeCursor } from '../../../http/cursor.ts';
import type { PaymentRouteContext } from '../payment-context.ts';
import { importAddresses } from '../pool/import-addresses.ts';
import { countPool, listPool } from '../pool/pool-store.ts';
import { removeAddresses } from '../pool/release-addresses.ts';
import { merchantExamples } from '../requests/examples-payments.ts';
import { paymentQuery } from '../requests/payment-store.ts';
import { serialiseTolerance } from '../requests/tolerance-rules.ts';
import { writeTime } from '../write-time.ts';
import { changeMerchant } from './change-merchant.ts';
import { registerMerchantCall } from './merchant-call.ts';
import type { Merchant } from './merchant-store.ts';

/** A thousand addresses with what JSON puts around them. */
const importBodyLimit = 204_800;

/** `/merchant` and `/merchant/addresses`. */
export function registerMerchantRoutes(app: FastifyInstance, context: PaymentRouteContext): void {
  const { precious } = context;

  registerMerchantCall(app, context, {
    method: 'GET',
    path: '/merchant',
    response: MerchantView,
    cost: 2,
    operation: {
      id: 'getMerchant',
      tag: 'Merchant',
      summary: 'The merchant of the key',
      description: 'With the state of its address pool.',
      errors: ['index_unavailable'],
      example: merchantExamples.merchant,
    },
    call: ({ merchant }) => showMerchant(context, merchant),
  });

  registerMerchantCall(app, context, {
    method: 'PATCH',
    path: '/merchant',
    body: MerchantChangeBody,
    response: MerchantView,
    cost: 5,
    operation: {
      id: 'updateMerchant',
      tag: 'Merchant',
      summary: 'Change the merchant of the key',
      description:
        'A field that is left out stays as it is; null clears it. Defaults hold for payments that are made from then on.',
      errors: ['webhook_url_refused', 'confirmations_too_few', 'amount_invalid', 'index_unavailable'],
      bodyExample: merchantExamples.change,
      example: { ...merchantExamples.merchant, ...merchantExamples.change },
    },
    call: async ({ merchant, body }) =>
      await showMerchant(context, await changeMerchant(context, merchant, body)),
  });

  registerMerchantCall(app, context, {
    method: 'GET',
    path: '/merchant/addresses',
    query: PoolListQuery,
    response: PoolList,
    cost: 2,
    operation: {
      id: 'listPoolAddresses',
      tag: 'Merchant',
      summary: 'The address pool, in the order of leasing',
      description: 'An address goes from ready to leased to retired, once. It is never leased again.',
      errors: ['index_unavailable'],
      parameterExamples: { state: 'ready' },
      example: merchantExamples.poolList,
    },
    async call({ merchant, query: { limit = pageLimits.default, cursor, state } }) {
      const subject = `${merchant.id} ${state ?? ''}`;
      const [after = 0] = decodeCursor('pool', subject, cursor, 1) ?? [];
      const rows = await listPool(paymentQuery(precious), merchant.id, state, after, limit + 1);
      const shown = rows.slice(0, limit);
      return {
        items: shown.map(({ address, path, state, payment_id, imported_at, leased_at }) => ({
          address,
          path,
          state,
          payment_id,
          imported_at: writeTime(imported_at),
          leased_at: leased_at === null ? null : writeTime(leased_at),
        })),
        next_cursor: rows.length > limit ? encodeCursor('pool', subject, [shown.at(-1)!.position]) : null,
      };
    },
  });

  registerMerchantCall(app, context, {
    method: 'POST',
    path: '/merchant/addresses',
    body: PoolImportBody,
    bodyLimit: importBodyLimit,
    response: PoolImportResultView,
    cost: 50,
    operation: {
      id: 'importPoolAddresses',
      tag: 'Merchant',
      summary: 'Import fresh receive addresses',
      description:
        'Up to 1,000 addresses, or a public account key and a range below it. Only addresses that neither the chain nor ' +
        'the mempool has seen, that no payment had, and that are in no pool are taken; each gets its answer, in their ' +
        'order. Sending the same again imports nothing twice. Wallets find money by looking some addresses ahead (a gap ' +
        'limit, often 20): set it above the size of the pool.',
      errors: ['extended_key_invalid', 'not_ready', 'index_unavailable'],
      bodyExample: merchantExamples.importBody,
      example: merchantExamples.importResult,
    },
    call: ({ merchant, body }) => importAddresses(context, merchant.id, body),
  });

  registerMerchantCall(app, context, {
    method: 'POST',
    path: '/merchant/addresses/remove',
    body: PoolRemovalBody,
    bodyLimit: importBodyLimit,
    response: PoolRemovalResultView,
    cost: 10,
    operation: {
      id: 'removePoolAddresses',
      tag: 'Merchant',
      summary: 'Take addresses out of the pool',
      description:
        'Up to 1,000 addresses that were never leased: imported by mistake, or of a wallet that is given up. Each gets its ' +
        'answer, in their order. They may be imported again.',
      errors: ['index_unavailable'],
      bodyExample: merchantExamples.removalBody,
      example: merchantExamples.removalResult,
    },
    call: ({ merchant, body }) => removeAddresses(precious, context.profile, merchant.id, body),
  });
}

async function showMerchant(
  { precious, profile }: PaymentRouteContext,
  merchant: Merchant,
): Promise<MerchantJson> {
  const counts = await countPool(paymentQuery(precious), merchant.id);
  return {
    id: merchant.id,
    name: merchant.name,
    webhook_url: merchant.webhook_url,
    pool: { ...counts, low_threshold: merchant.pool_low_threshold },
    default_expires_in: merchant.default_expires_in,
    default_confirmations: merchant.default_confirmations,
    tolerance: serialiseTolerance(merchant, profile.decimals),
    created_at: writeTime(merchant.created_at),
  };
}
