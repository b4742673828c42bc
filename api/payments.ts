/** Payments: schemas of payment requests, as their merchant and as everybody sees them. */

import Type, { type Static } from 'typebox';
import { ReturnUrl } from './checkout.ts';
import { Amount, Count, Hash, Nullable, OneOf, Strict, Time } from './common.ts';
import { Currency, Money, RateSources, RateText } from './rates.ts';

/** What a payment can be. */
export const paymentStatuses = [
  'open',
  'underpaid',
  'detected',
  'confirming',
  'paid',
  'overpaid',
  'expired',
  'cancelled',
  'reorged',
] as const;
export type PaymentStatus = (typeof paymentStatuses)[number];

/**
 * Why a payment expired: nothing came in time, not enough, all but no block took it up within the wait, or it had been
 * paid and that was taken back for good.
 */
export const paymentReasons = ['unpaid', 'partial', 'unconfirmed', 'lost'] as const;
export type PaymentReason = (typeof paymentReasons)[number];

/** Bounds of what a merchant may ask for; an amount is also bounded by what the coin can ever be. */
export const paymentLimits = {
  descriptionLength: 500,
  /** Characters. */
  orderIdLength: 100,
  /** Bytes of UTF-8, as JSON without white space; and objects and lists within each other, the outermost counted. */
  metadata: { bytes: 4_096, depth: 8 },
  confirmations: { default: 2, max: 100 },
  /** Seconds. */
  expiresIn: { default: 3_600, min: 60, max: 2_592_000 },
  webhookUrlLength: 2_000,
  recipientLength: 255,
  idempotencyKeyLength: 255,
  /** Addresses of one import. */
  importSize: 1_000,
  /** Percent of its amount that a payment may be short by. */
  tolerancePercent: 50,
} as const;

/** Any text without control characters. */
export const orderIdPattern = '^[^\\x00-\\x1f\\x7f-\\x9f]+$';

/** Crockford's base32, without I, L, O and U. */
const idPattern = '^VP-[0-9A-HJKMNP-TV-Z]{12}$';

/** Identifier of a payment in a path. */
export const PaymentIdParameter = Type.String({
  pattern: idPattern,
  minLength: 15,
  maxLength: 15,
  description: 'Identifier of a payment: VP- and 12 characters of Crockford base32.',
});

/** Path of one payment. */
export const PaymentParams = Strict({ payment_id: PaymentIdParameter });

/** An absolute URL that events are sent to. */
export const WebhookUrl = Type.String({
  minLength: 8,
  maxLength: paymentLimits.webhookUrlLength,
  description: 'Absolute https URL of the receiver of signed events. Never shown to the public.',
});

/** A price in money other than coins. */
export const PriceBody = Strict({ currency: Currency, amount: Money });
export type PriceJson = Static<typeof PriceBody>;
/** By how much less than the amount is enough. */
export const ToleranceBody = Strict(
  {
    percent: Type.Number({
      minimum: 0,
      maximum: paymentLimits.tolerancePercent,
      description: 'Percent of the amount that may be missing; two decimals at most.',
    }),
    max_amount: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 40,
        pattern: '^[0-9]{1,20}(\\.[0-9]{1,18})?$',
        description: 'Coins that may be missing at most, whatever the percentage comes to.',
      }),
    ),
  },
  { title: 'Tolerance' },
);
export type ToleranceJson = Static<typeof ToleranceBody>;

/** Body of POST /payments. */
export const PaymentRequestBody = Strict(
  {
    recipient: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: paymentLimits.recipientLength,
        description:
          'Address, or name, that is to be paid; a name is resolved once. Left out with `use_address_pool`.',
      }),
    ),
    amount: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 40,
        pattern: '^[0-9]{1,20}(\\.[0-9]{1,18})?$',
        description:
          'What is to be paid, in coins: a decimal above zero with no more decimals than the coin has. Or give `price`.',
      }),
    ),
    price: Type.Optional(
      Type.Unsafe<PriceJson>({
        ...PriceBody,
        description:
          'What is to be paid, in other money: turned into coins by the rate of now, rounded up. Or give `amount`.',
      }),
    ),
    description: Type.Optional(
      Type.String({
        maxLength: paymentLimits.descriptionLength,
        description: 'Shown to the payer; public. Empty unless given.',
      }),
    ),
    confirmations_required: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: paymentLimits.confirmations.max,
        description:
          'Confirmations until it is paid. 0 trusts the mempool; only up to the amount that /config allows for it. Unless ' +
          `given: the default of the merchant, or else ${paymentLimits.confirmations.default}.`,
      }),
    ),
    expires_in: Type.Optional(
      Type.Integer({
        minimum: paymentLimits.expiresIn.min,
        maximum: paymentLimits.expiresIn.max,
        description:
          'Seconds in which the payment has to be seen in full. Unless given: the default of the merchant, or else ' +
          `${paymentLimits.expiresIn.default}.`,
      }),
    ),
    order_id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: paymentLimits.orderIdLength,
        pattern: orderIdPattern,
        description: "The merchant's name of the order. Never shown to the public; events carry it.",
      }),
    ),
    unique_order_id: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'Refuses the request while another payment of the order is neither expired nor cancelled; with `order_id`.',
      }),
    ),
    metadata: Type.Optional(
      Type.Unsafe<Record<string, unknown>>({
        type: 'object',
        additionalProperties: true,
        description:
          'Whatever the merchant wants to find again with the payment: an object of at most 4,096 bytes as JSON without white space, at most 8 deep. ' +
          'Given back as it was given, to the merchant only.',
      }),
    ),
    tolerance: Type.Optional(ToleranceBody),
    webhook_url: Type.Optional(WebhookUrl),
    return_url: Type.Optional(ReturnUrl),
    use_address_pool: Type.Optional(
      Type.Boolean({
        default: false,
        description: "Whether an address of the merchant's pool is leased to it; then without `recipient`.",
      }),
    ),
  },
  { title: 'PaymentRequest' },
);
export type PaymentRequestJson = Static<typeof PaymentRequestBody>;

/** One output that pays, or paid, a payment's address. */
export const PaymentTransactionView = Strict(
  {
    txid: Hash('The transaction.'),
    vout: Count('Index of the output.'),
    amount: Amount('Value of the output.'),
    state: OneOf(['mempool', 'confirmed', 'gone'], {
      description: '`gone`: it was seen, and is neither in the chain nor in the mempool now.',
    }),
    confirmations: Count('Confirmations; 0 while it is not in a block.'),
    height: Nullable(Count('Block that has it.')),
    block_hash: Nullable(Hash('That block.')),
    block_time: Nullable(Time('Of that block, as its miner wrote it.')),
    fee_rate: Nullable(
      Type.String({
        description:
          'Base units per virtual byte that the transaction pays; null when the mempool was not seen to have it.',
      }),
    ),
    replaceable: Type.Boolean({
      description:
        'Whether it may be replaced while it waits for a block: it says so, or an unconfirmed transaction does that it ' +
        'descends from (BIP-125). A payment without confirmations is not paid by such a one, unless the operator allows it.',
    }),
    first_seen: Time('When it was first seen; the time of its block where it was not seen before.'),
    late: Type.Boolean({ description: 'Whether it came after expiry or cancellation and is not counted.' }),
  },
  { title: 'PaymentTransaction' },
);
export type PaymentTransactionJson = Static<typeof PaymentTransactionView>;

/** Transactions that one payment shows at most: the newest ones; the sums count all. */
export const shownTransactions = 50;

const paymentFields = {
  id: PaymentIdParameter,
  status: OneOf(paymentStatuses, { description: 'State of the payment.' }),
  reason: Nullable(
    OneOf(paymentReasons, {
      description:
        'Why it expired; null otherwise. `unpaid`: nothing came in time. `partial`: not enough came. `unconfirmed`: all was ' +
        'seen, and is in no block. `lost`: it had been paid, and that was taken back for good.',
    }),
  ),
  recipient: Nullable(
    Type.String({ description: 'Recipient as it was given; null when the address came from the pool.' }),
  ),
  address: Type.String({ description: 'The address to pay.' }),
  amount: Amount('What is to be paid.'),
  price: Nullable(
    Strict(
      {
        currency: Currency,
        amount: Money,
        rate: RateText,
        sources: RateSources,
        at: Time('When the rate was so.'),
      },
      {
        title: 'PaymentPrice',
        description:
          'The price that the amount was made of, and the rate by which; it stays. Null when the amount was given in coins.',
      },
    ),
  ),
  description: Type.String({ description: "The merchant's words." }),
  confirmations_required: Count('Confirmations until it is paid.'),
  received: Strict({
    seen: Amount('In blocks and in the mempool, as far as it counts.'),
    confirmed: Amount('In blocks.'),
    settled: Amount('In blocks, as deep as required.'),
    late: Amount('Came after expiry or cancellation; not part of the others.'),
  }),
  remaining: Amount('What is missing to the amount, or to what was accepted instead, of what was seen.'),
  tolerated: Amount('What is missing of the amount, and was let pass: it is paid without it.'),
  transactions: Type.Array(PaymentTransactionView, {
    maxItems: shownTransactions,
    description: `Outputs to the address since the payment was made, newest first; ${shownTransactions} at most.`,
  }),
  payment_uri: Type.String({ description: 'For wallets and QR codes.' }),
  checkout_url: Type.String({ description: 'Page for the payer.' }),
  final: Type.Boolean({
    description: 'Settled so deeply that it is no longer watched for a reorganisation.',
  }),
  sequence: Count('Number of its latest event; grows with each.'),
  created_at: Time('When it was made.'),
  expires_at: Time('Until when it has to be seen in full.'),
  paid_at: Nullable(
    Time(
      'When the money that came reached what is due, confirmed or not; null while it is less, and when it is over.',
    ),
  ),
  settled_at: Nullable(
    Time('When it became `paid` or `overpaid`; null while it is neither, and where nobody noted it.'),
  ),
  accepted_at: Nullable(
    Time('When the merchant accepted what had come as enough; nothing is too late from then on.'),
  ),
  accepted_amount: Nullable(
    Amount('What had come when the merchant accepted it: it is paid once so much is settled.'),
  ),
  updated_at: Time('Of the latest change.'),
  as_of: Nullable(
    Strict(
      { height: Count('Height of the tip.'), hash: Hash('The tip.') },
      { description: 'Tip that it was judged at; null until the first.' },
    ),
  ),
};

/** A payment as everybody sees it. */
export const PaymentView = Strict(paymentFields, { title: 'Payment' });
export type PaymentJson = Static<typeof PaymentView>;

/** Why an output to a payment's address is not part of the payment. */
export const exclusionReasons = ['earlier', 'replaces_earlier'] as const;

/** An output to a payment's address that is not part of it. */
export const ExcludedTransactionView = Strict(
  {
    txid: Hash('The transaction.'),
    vout: Count('Index of the output.'),
    amount: Amount('Value of the output.'),
    reason: OneOf(exclusionReasons, {
      description:
        '`earlier`: it was there before the payment. `replaces_earlier`: it took the place of what was, with a higher fee or in ' +
        'another branch of the chain.',
    }),
    state: OneOf(['mempool', 'confirmed', 'gone'], { description: 'Where it is now.' }),
  },
  { title: 'ExcludedTransaction' },
);

/** A payment as its merchant sees it. */
export const MerchantPaymentView = Strict(
  {
    ...paymentFields,
    order_id: Nullable(
      Type.String({ description: "The merchant's name of the order; null when none was given." }),
    ),
    metadata: Nullable(
      Type.Unsafe<Record<string, unknown>>({
        type: 'object',
        additionalProperties: true,
        description: 'As it was given; null when none was.',
      }),
    ),
    use_address_pool: Type.Boolean({ description: 'Whether its address is of the pool.' }),
    webhook_url: Nullable(Type.String({ description: 'Receiver of its events; null when it has none.' })),
    cancelled_at: Nullable(Time('When it was cancelled.')),
    return_url: Nullable(
      Type.String({ description: 'Where the checkout page leads back to; null when nowhere.' }),
    ),
    tolerance: Amount('By so much less than the amount is enough.'),
    excluded: Type.Array(ExcludedTransactionView, {
      maxItems: shownTransactions,
      description: `Outputs to the address that are not part of the payment, newest first; ${shownTransactions} at most.`,
    }),
  },
  { title: 'MerchantPayment' },
);
export type MerchantPaymentJson = Static<typeof MerchantPaymentView>;
