/** The shop's side of the way back from the checkout page: is this from the service, and what does it say. */

import type { PaymentStatus } from '@coinfront/api/payments.ts';
import {
  checkSecrets,
  checkSignatures,
  checkTimestamp,
  decodeSecret,
  encode,
  maxSignatures,
  readHex,
  WebhookVerificationError,
} from './signatures.ts';

/** What the page said when the buyer left it. */
export type PaymentReturn = {
  payment_id: string;
  status: PaymentStatus;
  /** When it was so. */
  at: Date;
};

export type VerifyReturnOptions = {
  /** How far `timestamp` may be from this machine's clock, seconds; a day unless given, for pages stay open. */
  toleranceSeconds?: number;
  /** This machine's clock, Unix milliseconds. */
  now?: () => number;
};

const defaultToleranceSeconds = 86_400;

/**
 * Verifies the address by which a buyer came back from the checkout page.
 *
 * It is news, and may be old news: a buyer can come back twice, and a status can change. Show by it what the buyer may see;
 * deliver by the webhook, or by what `getPayment` says.
 *
 * @param url the address that was asked for, or its query
 * @param secret the webhook secret (`whsec_…`), or several while they change
 * @throws WebhookVerificationError
 * @example
 * const { payment_id, status } = await verifyReturn(request.url, webhookSecret);
 */
export async function verifyReturn(
  url: string | URL | URLSearchParams,
  secret: string | readonly string[],
  options: VerifyReturnOptions = {},
): Promise<PaymentReturn> {
  const secrets = checkSecrets(typeof secret === 'string' ? [secret] : secret);
  const query = readQuery(url);
  const [id, status, timestamp, signature] = ['payment_id', 'status', 'timestamp', 'signature'].map((name) =>
    readOnce(query, name),
  ) as [string, string, string, string];
  checkTimestamp('timestamp', timestamp, options.toleranceSeconds ?? defaultToleranceSeconds, options.now);
  const signatures = signature.split('.', maxSignatures);
  if (!signatures.every((each) => /^[0-9a-f]{64}$/.test(each))) {
    throw new WebhookVerificationError('signature_malformed', 'signature is not 64 hex digits.');
  }
  const signed = encode(`${id}.${status}.${timestamp}`);
  await checkSignatures(signatures.map(readHex), secrets.map(decodeSecret), signed, 'return');
  return { payment_id: id, status: status as PaymentStatus, at: new Date(Number(timestamp) * 1_000) };
}

/** Also of a path, which is what servers are asked for. */
function readQuery(url: string | URL | URLSearchParams): URLSearchParams {
  if (url instanceof URLSearchParams) return url;
  if (url instanceof URL) return url.searchParams;
  const at = url.indexOf('?');
  return new URLSearchParams(at === -1 ? '' : url.slice(at + 1).split('#', 1)[0]);
}

function readOnce(query: URLSearchParams, name: string): string {
  const [value, ...more] = query.getAll(name);
  if (value !== undefined && more.length === 0) return value;
  const detail = `The address has ${value === undefined ? 'no' : 'more than one'} "${name}".`;
  throw new WebhookVerificationError('parameters_missing', detail);
}
