/** Makes the payment that an invoice asks for. */

import type { InvoiceRequestJson } from '@coinfront/api/btcpay.ts';
import type { PaymentRequestJson } from '@coinfront/api/payments.ts';
import { AppError } from '../../../errors.ts';
import type { Merchant } from '../merchants/merchant-store.ts';
import { createPaymentId } from '../payment-ids.ts';
import { createPaymentMaker } from '../requests/create-payment.ts';
import { checkDepth, parseExactly } from '../requests/order-data-rules.ts';
import { checkPaymentRequest } from '../requests/payment-request.ts';
import type { GreenfieldContext } from './greenfield-context.ts';
import { blameField } from './greenfield-errors.ts';
import { fillPlaceholders, readInvoiceRequest } from './invoice-terms.ts';

/** Fields of an invoice that errors of a payment are about. */
const fields = {
  amount_invalid: 'amount',
  currency_unknown: 'currency',
  return_url_refused: 'checkout.redirectURL',
  // Everything else of the body is made here.
  invalid_body: 'metadata',
} as const;

/** Gives what makes invoices; one per process, as {@link createPaymentMaker}. */
export function createInvoiceMaker(context: GreenfieldContext) {
  const createPayment = createPaymentMaker(context);

  const create = async (merchant: Merchant, request: PaymentRequestJson, id: string): Promise<void> => {
    const body = fillPlaceholders(request, id);
    const terms = checkPaymentRequest(body, merchant, context);
    await createPayment(merchant, terms, { idempotencyKey: undefined, body, id });
  };

  /**
   * Makes an invoice.
   *
   * @param jsonText its body as it came: numbers in its metadata are kept as they stood
   * @returns its identifier
   * @throws FieldFaults; AppError `pool_exhausted`, `rate_unavailable`, `not_ready`
   */
  return async (merchant: Merchant, body: InvoiceRequestJson, jsonText: string): Promise<string> => {
    const id = createPaymentId();
    const request = readInvoiceRequest(readExact(body, jsonText), context.profile);
    try {
      await create(merchant, request, id).catch(async (error: unknown) => {
        // A shop that wants no confirmation gets one where the operator does not allow that for the amount.
        const isTooFew = error instanceof AppError && error.code === 'confirmations_too_few';
        if (!isTooFew) throw error;
        await create(merchant, { ...request, confirmations_required: 1 }, id);
      });
    } catch (error) {
      throw blameField(error, fields);
    }
    return id;
  };
}

/** The body with its metadata to the last digit. @throws FieldFaults */
function readExact(body: InvoiceRequestJson, text: string): InvoiceRequestJson {
  if (!body.metadata) return body;
  try {
    checkDepth(body.metadata);
  } catch (error) {
    throw blameField(error, fields);
  }
  return { ...body, metadata: (parseExactly(text) as Required<InvoiceRequestJson>).metadata };
}
