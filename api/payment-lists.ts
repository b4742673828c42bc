/** Payments by the many: what the list and the export of a merchant's payments can be narrowed to. */

import Type, { type Static } from 'typebox';
import { OneOf, Strict } from './common.ts';
import { pageOf, pageParameters } from './paging.ts';
import { MerchantPaymentView, orderIdPattern, paymentLimits, paymentStatuses } from './payments.ts';

const anyStatus = `(?:${paymentStatuses.join('|')})`;

/** A day, or a moment to the millisecond. */
function TimeParameter(description: string) {
  return Type.String({
    minLength: 10,
    maxLength: 24,
    pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]{1,3})?Z)?$',
    description,
  });
}

const paymentFilters = {
  status: Type.Optional(
    Type.String({
      minLength: 4,
      maxLength: 120,
      pattern: `^${anyStatus}(?:,${anyStatus})*$`,
      description: `Only payments of this status, or of one of these, with commas between: ${paymentStatuses.join(', ')}.`,
    }),
  ),
  order_id: Type.Optional(
    Type.String({
      minLength: 1,
      // A character may be two units of UTF-16.
      maxLength: 2 * paymentLimits.orderIdLength,
      pattern: orderIdPattern,
      description: 'Only payments of this order: exactly this `order_id`.',
    }),
  ),
  q: Type.Optional(
    Type.String({
      minLength: 2,
      maxLength: 120,
      pattern: '^[^\\x00-\\x1f\\x7f]+$',
      description:
        'Only payments that this names: an identifier, an address, a txid or an `order_id`. What names none is looked for in ' +
        'descriptions.',
    }),
  ),
  created_from: Type.Optional(
    TimeParameter(
      'Only payments made then or later: a day in UTC, such as 2026-03-01, or a moment, such as 2026-03-01T12:00:00Z.',
    ),
  ),
  created_to: Type.Optional(
    TimeParameter('Only payments made then or earlier; a day counts to its end, in UTC.'),
  ),
};

/** Orders of the list of payments; each has an index. */
export const paymentSorts = ['created', 'created_asc'] as const;
export type PaymentSort = (typeof paymentSorts)[number];

const sort = Type.Optional(
  OneOf(paymentSorts, {
    description: '`created`: newest first, unless given. `created_asc`: oldest first.',
  }),
);

/** Query of the list of payments. */
export const PaymentListQuery = Strict({ ...pageParameters, ...paymentFilters, sort });
export type PaymentListQueryJson = Static<typeof PaymentListQuery>;

/** Query of the export of payments. */
export const PaymentExportQuery = Strict({ ...paymentFilters, sort });

/** A merchant's payments. */
export const PaymentList = Strict(pageOf(MerchantPaymentView), { title: 'PaymentList' });
