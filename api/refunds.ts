/** Money that is no part of the deal: schemas of what is left over of payments, of refunds, and of leaving it be. */

import Type, { type Static } from 'typebox';
import { Amount, Count, Hash, Nullable, OneOf, Strict, Time } from './common.ts';
import { pageOf, pageParameters } from './paging.ts';
import { PaymentIdParameter, paymentStatuses } from './payments.ts';
import { AddressText, senderFields, unsignedFields } from './unsigned.ts';

/** Why money is left over: it came too late, its payment is over, or it is more than was asked for; or less is left than went back. */
export const leftoverKinds = ['late', 'closed', 'overpaid', 'uncovered'] as const;
export type LeftoverKind = (typeof leftoverKinds)[number];

/** What becomes of a refund. */
export const refundStates = ['open', 'sent', 'confirmed', 'gone', 'cancelled'] as const;
export type RefundState = (typeof refundStates)[number];

/** What is wrong with the transaction of a refund. */
export const refundProblems = ['output_missing', 'not_a_refund'] as const;
export type RefundProblem = (typeof refundProblems)[number];

/** Bounds of what a merchant may say. */
export const refundLimits = {
  noteLength: 500,
  /** Refunds of one payment, cancelled ones counted. */
  ofPayment: 50,
  /** Transactions that one refund has had, each in the place of the one before. */
  transactions: 20,
  /** Addresses that one transaction spends from. */
  senders: 5,
} as const;

/** Identifier of a refund in a path. */
export const RefundIdParameter = Type.String({
  pattern: '^ref_[0-9A-HJKMNP-TV-Z]{20}$',
  minLength: 24,
  maxLength: 24,
  description: 'Identifier of a refund.',
});

/** Path of one refund. */
export const RefundParams = Strict({ payment_id: PaymentIdParameter, refund_id: RefundIdParameter });

/** What a merchant owes, or owed, to a buyer. */
export const RefundView = Strict(
  {
    id: RefundIdParameter,
    state: OneOf(refundStates, {
      description:
        '`open`: it was made, and no transaction is known. `sent`: a transaction was named. `confirmed`: it is deep enough. ' +
        '`gone`: the transaction was seen, and is neither in the chain nor in the mempool now, or it does not pay this ' +
        'refund (`problem`). `cancelled`: the merchant took it back.',
    }),
    amount: Amount('What goes back.'),
    address: Type.String({ description: 'Where it goes.' }),
    note: Type.String({ description: "The merchant's words; private." }),
    txid: Nullable(Hash('The transaction that pays it, as the merchant said.')),
    vout: Nullable(Count('The output of it that pays this refund; null until it is seen.')),
    seen: Type.Boolean({
      description: 'Whether that transaction was ever seen, in the mempool or in a block.',
    }),
    height: Nullable(Count('Block that has it.')),
    confirmations: Count('Confirmations of it.'),
    problem: Nullable(
      OneOf(refundProblems, {
        description:
          '`output_missing`: the transaction was seen, and has no output of at least the amount to the address that serves no other refund. ' +
          '`not_a_refund`: it is in a block that was there when the payment was made, or it paid the payment.',
      }),
    ),
    created_at: Time('When it was made.'),
    sent_at: Nullable(Time('When the merchant named the transaction.')),
    confirmed_at: Nullable(Time('When it was deep enough; null while it is not.')),
    cancelled_at: Nullable(Time('When it was cancelled.')),
  },
  { title: 'Refund' },
);
export type RefundJson = Static<typeof RefundView>;

/** A word that settles what is left over without sending it back. */
export const ResolutionView = Strict(
  {
    amount: Amount('What was open then.'),
    uncovered: Amount('What was uncovered then.'),
    note: Type.String({ description: "The merchant's words; private." }),
    created_at: Time('When it was said.'),
  },
  { title: 'Resolution' },
);

/** Words of a payment that are shown at most: the newest ones. */
export const shownResolutions = 50;

/** What of a payment's money is no part of the deal, and what became of it. */
export const LeftoverView = Strict(
  {
    payment_id: PaymentIdParameter,
    order_id: Nullable(Type.String({ description: "The merchant's number of the order; private." })),
    status: OneOf(paymentStatuses, { description: 'State of the payment.' }),
    kinds: Type.Array(
      OneOf(leftoverKinds, {
        description:
          '`late`: it came too late. `closed`: it counted for a payment that is expired or cancelled. `overpaid`: it is more than the amount. ' +
          '`uncovered`: more went back, or is about to, than is left over.',
      }),
      { description: 'Why it has to be settled; empty when nothing is left over.' },
    ),
    left_over: Amount('In chain and mempool, and no part of the deal.'),
    settled: Amount(
      'Part of it that is in blocks, as deep as the payment asks for, one at least: only this is sent back.',
    ),
    pending: Amount('Part of it that is not so deep: it may go away again.'),
    refunded: Amount('In refunds that are not cancelled, sent or not.'),
    resolved: Amount("Let be by the merchant's word."),
    open: Amount('`left_over` less `refunded` and `resolved`.'),
    uncovered: Amount(
      'By how much `refunded` is more than `left_over`: money went away, or counts again, after it had been sent back.',
    ),
    refund_address: Nullable(
      Type.String({
        description: 'Where the buyer wants it; who knows the link of the checkout page can have given it.',
      }),
    ),
    refund_address_at: Nullable(Time('When that was given.')),
    refunds: Type.Array(RefundView, {
      maxItems: refundLimits.ofPayment,
      description: 'All refunds of the payment, oldest first.',
    }),
    resolutions: Type.Array(ResolutionView, {
      maxItems: shownResolutions,
      description: `What was let be, newest first; ${shownResolutions} at most.`,
    }),
    created_at: Time('When the payment was made.'),
  },
  { title: 'Leftover' },
);
export type LeftoverJson = Static<typeof LeftoverView>;

/** Query of GET /merchant/unsettled. */
export const UnsettledQuery = Strict(pageParameters);

/** Payments with money that nobody has settled. */
export const UnsettledList = Strict(pageOf(LeftoverView), { title: 'UnsettledList' });

const Note = (description: string) =>
  Type.String({ minLength: 1, maxLength: refundLimits.noteLength, description });

/** Body of POST /payments/{payment_id}/refunds. */
export const RefundRequestBody = Strict(
  {
    amount: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 40,
        pattern: '^[0-9]{1,20}(\\.[0-9]{1,18})?$',
        description: 'What goes back, in coins. Unless given: all that is open and settled.',
      }),
    ),
    address: Type.Optional(AddressText('Where it goes. Unless given: the address that the buyer gave.')),
    note: Type.Optional(Note('For you; nobody else sees it.')),
  },
  { title: 'RefundRequest' },
);
export type RefundRequestJson = Static<typeof RefundRequestBody>;

/** Body of POST …/refunds/{refund_id}/transaction. */
export const RefundTransactionBody = Strict(
  {
    from: Type.Optional(
      Type.Array(
        Strict({
          address: AddressText('Address of your wallet whose coins are spent. Never a key.'),
          public_key: Type.Optional(senderFields.public_key),
        }),
        {
          minItems: 1,
          maxItems: refundLimits.senders,
          description:
            'Coins of the first are taken first. Unless given: the address of the payment, whose outputs are what came.',
        },
      ),
    ),
    change_address: Type.Optional(
      AddressText(
        'Where change goes. Unless given: the last address of `from`. It may not be an address of a payment or of a pool, where it would be taken for money of a buyer.',
      ),
    ),
    fee_rate: senderFields.fee_rate,
  },
  { title: 'RefundTransactionRequest' },
);
export type RefundTransactionBodyJson = Static<typeof RefundTransactionBody>;

/** A transaction for the merchant's own wallet. */
export const RefundTransactionView = Strict(
  { refund: RefundView, ...unsignedFields },
  { title: 'RefundTransaction' },
);
export type RefundTransactionJson = Static<typeof RefundTransactionView>;

/** Body of POST …/refunds/{refund_id}/sent. */
export const RefundSentBody = Strict(
  { txid: Hash('The transaction that pays the refund.') },
  { title: 'RefundSent' },
);

/** Body of POST /payments/{payment_id}/resolve. */
export const ResolveBody = Strict(
  { note: Note('Why nothing goes back, for your records; nobody else sees it.') },
  { title: 'ResolveRequest' },
);
