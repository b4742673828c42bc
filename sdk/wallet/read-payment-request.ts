import type { PaymentJson } from '@coinfront/api/payments.ts';
import { parseAmount } from '@coinfront/protocol/amount.ts';
import { equalBytes } from '@coinfront/protocol/bytes.ts';
import { parsePaymentUri } from '@coinfront/protocol/payment-uri.ts';
import type { Network } from './network.ts';
import { readAddress } from './transaction-plan.ts';
import { WalletError } from './wallet-error.ts';

/** What somebody asks to be paid, to be shown before it is. */
export type ReadPaymentRequest = {
  address: string;
  /** Base units; undefined where the payer chooses. */
  amount: bigint | undefined;
  label: string | undefined;
  message: string | undefined;
  reference: string | undefined;
  /** Of a `VP-` id: the payment, and until when it has to be seen in full (Unix ms). */
  payment: { id: string; description: string; expiresAtMs: number } | undefined;
};

const PAYMENT_ID = /^VP-[0-9A-HJKMNP-TV-Z]{12}$/;
/** What more may be paid to a payment. */
const PAYABLE = new Set(['open', 'underpaid']);

/**
 * Reads a payment URI, or asks for a payment by its id. Of an id the exact rest is given that is still to be paid; the
 * service names the address, so pay only an id that came from the merchant.
 *
 * @param getPayment - `(payment_id) => getPayment(client, { payment_id })`; not needed for URIs
 * @throws WalletError `payment_request_invalid`, `payment_closed`
 * @example
 * const request = await readPaymentRequest(text, network, (payment_id) => getPayment(client, { payment_id }));
 */
export async function readPaymentRequest(
  text: string,
  network: Network,
  getPayment?: (paymentId: string) => Promise<PaymentJson>,
): Promise<ReadPaymentRequest> {
  const trimmed = text.trim();
  if (PAYMENT_ID.test(trimmed)) {
    if (getPayment !== undefined) return readPayment(trimmed, await getPayment(trimmed), network);
    throw new WalletError(
      'payment_request_invalid',
      'A payment id is looked up at the service that made it.',
    );
  }
  const parsed = parsePaymentUri(trimmed, network);
  if (!parsed.ok) throw new WalletError('payment_request_invalid', `${capitalise(parsed.reason)}.`);
  const { address, amount, label, message, reference } = parsed.value;
  return { address, amount, label, message, reference, payment: undefined };
}

function readPayment(id: string, payment: PaymentJson, network: Network): ReadPaymentRequest {
  const amount = parseAmount(String(payment.remaining), network.decimals);
  const uri = parsePaymentUri(String(payment.payment_uri), network);
  const script = readAddress(String(payment.address), network);
  const isWhole = payment.id === id && amount.ok && uri.ok && equalBytes(uri.value.script, script);
  if (!isWhole) {
    throw new WalletError(
      'payment_request_invalid',
      'The service contradicts itself about this payment: do not pay it.',
    );
  }
  if (!PAYABLE.has(payment.status) || payment.accepted_at !== null || amount.value === 0n) {
    const state = payment.accepted_at === null ? payment.status : 'accepted with what had come';
    throw new WalletError('payment_closed', `Nothing more is to be paid: the payment is ${state}.`);
  }
  return {
    address: payment.address,
    amount: amount.value,
    label: uri.value.label,
    message: uri.value.message,
    reference: uri.value.reference,
    payment: { id, description: payment.description, expiresAtMs: Date.parse(payment.expires_at) },
  };
}

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
