import { finished } from 'node:stream';
import { PaymentExportQuery } from '@coinfront/api/payment-lists.ts';
import type { FastifyInstance, FastifyReply } from 'fastify';
import Type from 'typebox';
import { AppError } from '../../../errors.ts';
import { bytesOfUnit } from '../../../http/rate-limit.ts';
import { registerMerchantCall } from '../merchants/merchant-call.ts';
import type { PaymentRouteContext } from '../payment-context.ts';
import { writeTime } from '../write-time.ts';
import { paymentExamples } from './examples-payments.ts';
import { readFilter } from './payment-filter.ts';
import { paymentQuery } from './payment-store.ts';
import { streamPayments } from './stream-payments.ts';

/** `GET /payments.csv`. */
export function registerExport(app: FastifyInstance, context: PaymentRouteContext): void {
  const { precious, profile, now } = context;
  /** Merchants that are sent a table now. */
  const underWay = new Set<string>();

  /** @throws AppError `rate_limited` */
  const begin = (merchantId: string, reply: FastifyReply): void => {
    if (underWay.has(merchantId)) {
      const detail = 'A merchant gets one table of payments at a time; read the other one to its end first.';
      throw new AppError('rate_limited', detail, { 'retry-after': '5' });
    }
    underWay.add(merchantId);
    finished(reply.raw, () => underWay.delete(merchantId));
  };

  registerMerchantCall(app, context, {
    method: 'GET',
    path: '/payments.csv',
    query: PaymentExportQuery,
    response: Type.String(),
    cost: 10,
    operation: {
      id: 'exportPayments',
      tag: 'Payments',
      summary: "The merchant's payments as a table, for spreadsheets",
      description:
        'The payments that the list would give, all of them, as CSV (RFC 4180) in UTF-8 with a byte order mark; the first line names ' +
        'the columns. Each payment that is there at the beginning comes once, as it was when its line was read. `txids` has the 50 ' +
        'newest outputs. A text that a spreadsheet would take for a formula begins with an apostrophe. A table that cannot be ' +
        'completed is cut off: the transfer fails, it does not end early. One at a time for a merchant.',
      errors: ['index_unavailable', 'overloaded'],
      contentType: 'text/csv; charset=utf-8',
      parameterExamples: {
        status: 'paid,overpaid',
        created_from: '2026-03-01',
        created_to: '2026-03-31',
      },
      example: paymentExamples.table,
    },
    async call({ merchant, query, request, reply }) {
      const filter = await readFilter(paymentQuery(precious), merchant.id, query, profile);
      begin(merchant.id, reply);
      const day = writeTime(now()).slice(0, 10);
      reply.header('content-disposition', `attachment; filename="payments-${day}.csv"`);
      const charge = () => app.admission.chargeBytes(request, bytesOfUnit);
      return {
        streamedText: () => streamPayments(context, merchant.id, filter, charge),
        account: merchant.id,
      };
    },
  });
}
