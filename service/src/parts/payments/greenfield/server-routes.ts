/** What a plugin asks when it is set up: whether the service works, what its key may do, which store it is for. */

import type { FastifyInstance } from 'fastify';
import { readInStep } from '../../../chain/read-in-step.ts';
import { cacheControls } from '../../../http/snapshot.ts';
import { serviceVersion } from '../../../version.ts';
import type { Merchant } from '../merchants/merchant-store.ts';
import { countPool } from '../pool/pool-store.ts';
import { paymentQuery } from '../requests/payment-store.ts';
import { registerGreenfield } from './greenfield-call.ts';
import type { GreenfieldContext } from './greenfield-context.ts';
import { writeGreenfieldError } from './greenfield-errors.ts';
import { defaultsOf } from './invoice-terms.ts';
import { writePermissions } from './permission-rules.ts';
import { paymentMethodOf } from './serialise-invoice.ts';
import { policyOf } from './speed-rules.ts';

/** The version of BTCPay Server whose interface this is; plugins want to know that it is not too old. */
const version = `2.0.0+coinfront-${serviceVersion}`;

/** `/health`, `/server/info`, `/api-keys/current`, `/stores` and the way to pay. */
export function registerServerRoutes(app: FastifyInstance, context: GreenfieldContext): void {
  const { profile } = context;
  const method = paymentMethodOf(profile);

  app.get('/api/v1/health', { config: { writeError: writeGreenfieldError } }, async (_, reply) => {
    reply.header('cache-control', cacheControls.none);
    return { synchronized: (await findHeights(context)).synchronized };
  });

  registerGreenfield(app, context, {
    method: 'GET',
    path: '/api/v1/server/info',
    async call() {
      const { synchronized, height } = await findHeights(context);
      return {
        version,
        onion: null,
        supportedPaymentMethods: [method],
        fullySynched: synchronized,
        syncStatus: [
          {
            paymentMethodId: method,
            nodeInformation: null,
            chainHeight: height,
            syncHeight: height,
            available: synchronized,
          },
        ],
      };
    },
  });

  registerGreenfield(app, context, {
    method: 'GET',
    path: '/api/v1/api-keys/current',
    call: ({ caller: { apiKey, permissions, merchant } }) => ({
      apiKey,
      label: merchant.name,
      userId: merchant.id,
      permissions: writePermissions(permissions, merchant.id),
    }),
  });

  const describeStore = (merchant: Merchant) => {
    const { expiresIn, confirmations } = defaultsOf(merchant);
    return {
      id: merchant.id,
      name: merchant.name,
      website: null,
      archived: false,
      defaultCurrency: profile.ticker,
      invoiceExpiration: expiresIn,
      monitoringExpiration: Math.floor(context.waitMs / 1000),
      speedPolicy: policyOf(confirmations),
      paymentTolerance: merchant.tolerance_bps / 100,
      anyoneCanCreateInvoice: false,
      networkFeeMode: 'Never',
      defaultPaymentMethod: method,
    };
  };

  registerGreenfield(app, context, {
    method: 'GET',
    path: '/api/v1/stores',
    permission: 'btcpay.store.canviewstoresettings',
    call: ({ caller }) => [describeStore(caller.merchant)],
  });

  registerGreenfield(app, context, {
    method: 'GET',
    path: '/api/v1/stores/:storeId',
    permission: 'btcpay.store.canviewstoresettings',
    call: ({ caller }) => describeStore(caller.merchant),
  });

  registerGreenfield(app, context, {
    method: 'GET',
    path: '/api/v1/stores/:storeId/payment-methods',
    permission: 'btcpay.store.canviewstoresettings',
    cost: 2,
    async call({ caller: { merchant } }) {
      const { ready, leased, retired } = await countPool(paymentQuery(context.precious), merchant.id);
      // A merchant that never imported an address has nothing to be paid with, which plugins say when it is set up.
      if (ready + leased + retired === 0) return [];
      return [{ paymentMethodId: method, enabled: ready > 0, config: null }];
    },
  });
}

/** How far the index is, and whether it holds what the node had a moment ago. */
async function findHeights(context: GreenfieldContext): Promise<{ height: number; synchronized: boolean }> {
  const inStep = await readInStep(context, async ({ tip }) => tip?.height ?? 0);
  if (inStep !== undefined) return { height: inStep.value, synchronized: true };
  return { height: await context.readChain(async ({ tip }) => tip?.height ?? 0), synchronized: false };
}
