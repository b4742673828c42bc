import { blockMethods } from './block-methods.ts';
import { feeMethods } from './fee-methods.ts';
import type { Method } from './method.ts';
import { scriptMethods } from './script-methods.ts';
import { serverMethods } from './server-methods.ts';
import { subscriptionMethods } from './subscription-methods.ts';
import { transactionMethods } from './transaction-methods.ts';

/** Every method that is answered, by name. */
export const allMethods: ReadonlyMap<string, Method> = new Map(
  Object.entries({
    ...serverMethods,
    ...blockMethods,
    ...scriptMethods,
    ...subscriptionMethods,
    ...transactionMethods,
    ...feeMethods,
  }),
);
