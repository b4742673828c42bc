import type { PaymentRouteContext } from '../payment-context.ts';

/** Where it is served; plugins are given this as the address of their server. */
export const greenfieldPrefix = '/btcpay';

/** What these routes need. */
export type GreenfieldContext = PaymentRouteContext & {
  /** How long a payment that was seen in full waits past its expiry for blocks, milliseconds. */
  waitMs: number;
};
