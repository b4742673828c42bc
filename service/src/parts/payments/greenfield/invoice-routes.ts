/** Invoices: payments as plugins make, read, list and mark them. */

import { InvoiceRequestBody, MarkStatusBody } from '@coinfront/api/btcpay.ts';
import { quoteReceived } from '@coinfront/protocol/quote-received.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Merchant } from '../merchants/merchant-store.ts';
import { acceptPayment } from '../requests/accept-payment.ts';
import { cancelPayment } from '../requests/cancel-payment.ts';
import {
  findJudgedTip,
  listShownOutputs,
  paymentQuery,
  readPaymentState,
} from '../requests/payment-store.ts';
import { paymentNotFound } from '../requests/refuse-payment.ts';
import type { PaymentState } from '../requests/serialise-payment.ts';
import { createInvoiceMaker } from './create-invoice.ts';
import { registerGreenfield } from './greenfield-call.ts';
import type { GreenfieldContext } from './greenfield-context.ts';
import { blameField } from './greenfield-errors.ts';
import { listInvoicePayments, readInvoiceFilter } from './invoice-list.ts';
import { describeState } from './invoice-state-rules.ts';
import {
  type InvoiceRules,
  serialiseInvoice,
  serialisePaymentMethod,
  sumArrived,
} from './serialise-invoice.ts';

const ofStore = '/api/v1/stores/:storeId/invoices';
const ofInvoice = `${ofStore}/:invoiceId`;

/** `…/invoices`. */
export function registerInvoiceRoutes(app: FastifyInstance, context: GreenfieldContext): void {
  const { precious } = context;
  const createInvoice = createInvoiceMaker(context);

  registerGreenfield(app, context, {
    method: 'POST',
    path: ofStore,
    permission: 'btcpay.store.cancreateinvoice',
    body: InvoiceRequestBody,
    cost: 2,
    async call({ caller: { merchant }, body, request }) {
      const id = await createInvoice(merchant, body, request.jsonText);
      return serialiseInvoice(await readInvoice(context, merchant, id), rulesFor(context, request));
    },
  });

  registerGreenfield(app, context, {
    method: 'GET',
    path: ofStore,
    permission: 'btcpay.store.canviewinvoices',
    cost: 5,
    async call({ caller: { merchant }, query, request }) {
      const filter = readInvoiceFilter(query);
      const rows = await listInvoicePayments(paymentQuery(precious), merchant.id, filter);
      const outputs = await listShownOutputs(
        paymentQuery(precious),
        rows.map(({ id }) => id),
      );
      const tip = await findJudgedTip(paymentQuery(precious));
      const states = rows.map((payment) => ({ payment, outputs: outputs.get(payment.id)!, tip }));
      const { statuses, withPaymentMethods } = filter;
      const isWanted = (state: PaymentState) =>
        statuses.length === 0 ||
        statuses.includes(describeState(state.payment, sumArrived(state, context.profile)).status);
      return states
        .filter(isWanted)
        .map((state) => serialiseInvoice(state, rulesFor(context, request), { withPaymentMethods }));
    },
  });

  registerGreenfield(app, context, {
    method: 'GET',
    path: ofInvoice,
    permission: 'btcpay.store.canviewinvoices',
    async call({ caller: { merchant }, params, query, request }) {
      const state = await readInvoice(context, merchant, params.invoiceId!);
      const withPaymentMethods = query.includePaymentMethods === 'true';
      return serialiseInvoice(state, rulesFor(context, request), { withPaymentMethods });
    },
  });

  registerGreenfield(app, context, {
    method: 'GET',
    path: `${ofInvoice}/payment-methods`,
    permission: 'btcpay.store.canviewinvoices',
    async call({ caller: { merchant }, params }) {
      return [serialisePaymentMethod(await readInvoice(context, merchant, params.invoiceId!), context)];
    },
  });

  registerGreenfield(app, context, {
    method: 'POST',
    path: `${ofInvoice}/status`,
    permission: 'btcpay.store.canmodifyinvoices',
    body: MarkStatusBody,
    cost: 2,
    async call({ caller: { merchant }, params, body: { status }, request }) {
      const id = params.invoiceId!;
      const state = await readInvoice(context, merchant, id);
      const isSo = describeState(state.payment, 0n).status === status;
      const marked = isSo ? state : await mark(context, merchant, id, status);
      return serialiseInvoice(marked, rulesFor(context, request));
    },
  });
}

/**
 * Marks an invoice by its merchant's word: what came is enough, or it is closed. Nothing is settled that nothing came for.
 *
 * @throws FieldFaults
 */
async function mark(
  context: GreenfieldContext,
  merchant: Merchant,
  id: string,
  status: 'Settled' | 'Invalid',
): Promise<PaymentState> {
  try {
    return status === 'Settled'
      ? await acceptPayment(context, merchant, id)
      : await cancelPayment(context, merchant, id);
  } catch (error) {
    throw blameField(error, { payment_not_acceptable: 'status', payment_not_cancellable: 'status' });
  }
}

/** @throws AppError `payment_not_found` */
async function readInvoice(
  { precious }: GreenfieldContext,
  merchant: Merchant,
  id: string,
): Promise<PaymentState> {
  const state = await readPaymentState(precious, id);
  if (state === undefined || state.payment.merchant_id !== merchant.id)
    throw paymentNotFound(quoteReceived(id));
  return state;
}

/** Links have to be whole: a shop sends its buyers there. */
function rulesFor({ profile, publicUrl, waitMs }: GreenfieldContext, request: FastifyRequest): InvoiceRules {
  return { profile, waitMs, publicUrl: publicUrl || `${request.protocol}://${request.host}` };
}
