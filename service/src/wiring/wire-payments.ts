import { createAllowList } from '../outbound/allow-list.ts';
import { checkOutboundUrl } from '../outbound/check-url.ts';
import { createOutboundClient } from '../outbound/outbound-client.ts';
import type { ChainContext } from '../parts/chain/chain-context.ts';
import { estimateFeeRate, findRelayRate } from '../parts/chain/fee-routes.ts';
import { createNameResolver } from '../parts/names/resolve-name.ts';
import type { GreenfieldContext } from '../parts/payments/greenfield/greenfield-context.ts';
import { startPaymentFollower } from '../parts/payments/judging/follow-payments.ts';
import { listPaymentGauges } from '../parts/payments/payment-gauges.ts';
import { createPaymentPart } from '../parts/payments/payment-part.ts';
import { retireAddress } from '../parts/payments/pool/pool-store.ts';
import { createRefundFollower } from '../parts/payments/refunds/follow-refunds.ts';
import { startDeliverer } from '../parts/payments/webhooks/deliver-webhooks.ts';
import { waitAtMost } from '../pause.ts';
import { serviceVersion } from '../version.ts';
import { findParent } from './cluster/parent-link.ts';
import { type Ground, logFailure } from './ground.ts';
import type { WiredRates } from './wire-rates.ts';
import { STOP_DEADLINE_MS, type Wired } from './wired.ts';

/** Payments: their routes, the judge that follows the chain for them, and the deliverer of webhooks. */
export function wirePayments(
  ground: Ground,
  chain: ChainContext,
  { rates }: Pick<WiredRates, 'rates'>,
): Wired {
  const { config, profile, storage, server } = ground;
  const { precious, readPrimary: readChain } = storage;
  const isWorker = config.roles.has('worker');
  const parent = findParent();
  const allow = createAllowList(config.webhookAllow);
  const outbound = createOutboundClient({ allow });
  const deliverer = isWorker
    ? startDeliverer(
        {
          precious,
          now: Date.now,
          post: outbound.post,
          onError: logFailure(ground, 'Webhooks cannot be delivered'),
        },
        { userAgent: `Coinfront/${serviceVersion}` },
      )
    : undefined;
  const resolveName = createNameResolver(readChain, profile, Date.now);
  const waitMs = config.paymentWaitSeconds * 1_000;
  const context: GreenfieldContext = {
    precious,
    profile,
    publicUrl: config.publicUrl ?? '',
    now: Date.now,
    onEvent: () => (deliverer ? deliverer.wake() : parent?.tell('event')),
    onDue: () => (follower ? follower.wake() : parent?.tell('due')),
    readChain,
    checkWebhookUrl: (url) => checkOutboundUrl(url, allow),
    isOpenedHost: allow.opens,
    hasExplorer: ground.hasExplorer,
    estimateFeeRate: (view) => estimateFeeRate(chain, view),
    getRelayRate: () => findRelayRate(chain),
    bodies: server.bodies,
    waitMs,
    ...(resolveName === undefined ? {} : { resolveName }),
    ...(rates === undefined ? {} : { rates }),
  };
  createPaymentPart(context).register(server.app);
  const follower = isWorker
    ? startPaymentFollower(context, {
        waitMs,
        retireAddress,
        createFollowMore: () => createRefundFollower(context),
        onError: logFailure(ground, 'Payments cannot be judged at the moment'),
      })
    : undefined;
  return {
    wake: () => follower?.wake(),
    tell: (what) => (what === 'event' ? deliverer : follower)?.wake(),
    finish: () =>
      Promise.all([waitAtMost(follower?.stop(), STOP_DEADLINE_MS), deliverer?.stop(STOP_DEADLINE_MS)]),
    close: async () => outbound.close(),
    gauges: listPaymentGauges(precious, readChain, Date.now),
  };
}
