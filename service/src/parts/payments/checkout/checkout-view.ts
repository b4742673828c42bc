/** What the page shows: a payment as everybody may see it, and what its merchant wants shown with it. */

import type { PaymentJson } from '@coinfront/api/payments.ts';
import type { RefundStep } from './words/checkout-words.ts';

/** The coin as the page names it. */
export type CheckoutCoin = { name: string; ticker: string; decimals: number };

/** A picture that was checked: its bytes in base64. Pixels. */
export type Mark = { kind: 'png' | 'webp'; base64: string; width: number; height: number };

/** The shop as payers see it. */
export type Shop = {
  name: string;
  mark: Mark | undefined;
  /** Origins whose pages may have this one in a frame; checked. */
  embedOrigins: readonly string[];
};

/** Money of a payment that is left over, as its payer is told. Amounts in coins. */
export type PayerRefund = {
  /** What nobody has settled; undefined when nothing is. */
  open: string | undefined;
  /** Where it should go, shortened; undefined until it was said. */
  address: string | undefined;
  /** What goes back, or went, and to which address, shortened. */
  refunds: readonly { amount: string; address: string; step: RefundStep; txid: string | undefined }[];
};

/** Everything of one page. */
export type CheckoutView = {
  payment: PaymentJson;
  shop: Shop;
  /** Where the buyer goes from here, signed where there is something to sign; undefined when the merchant gave nothing. */
  returnUrl: string | undefined;
  /** Undefined where nothing is left over, and nothing goes back. */
  refund: PayerRefund | undefined;
};
