import type { MerchantPaymentJson, PaymentRequestJson } from '@coinfront/api/payments.ts';

/** How the shop reaches Coinfront. */
export type CoinfrontAccess = { url: string; apiKey: string };

const TIMEOUT_MS = 15_000;

/**
 * Creates the payment of an order. Asking again for the same order gives the same payment, so a lost answer is no reason
 * to worry: ask again.
 *
 * @throws Error with the problem's code and detail when Coinfront refuses
 */
export async function createPayment(
  { url, apiKey }: CoinfrontAccess,
  orderId: string,
  request: PaymentRequestJson,
): Promise<MerchantPaymentJson> {
  const answer = await fetch(`${url}/api/v1/payments`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-coin-pay-api-key': apiKey,
      'idempotency-key': orderId,
    },
    body: JSON.stringify(request),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const body = (await answer.json()) as MerchantPaymentJson & { code?: string; detail?: string };
  if (answer.status !== 201) throw new Error(`${answer.status} ${body.code}: ${body.detail}`);
  return body;
}
