import { decodeAddress } from './address.ts';
import { formatAmount, parseAmount } from './amount.ts';
import type { CoinProfile } from './profile.ts';
import { fail, ok, type Result } from './result.ts';

/** A payment request as a URI holds it. `amount` in base units; texts are plain, not percent-encoded. */
export type PaymentRequest = {
  address: string;
  amount: bigint | undefined;
  label: string | undefined;
  message: string | undefined;
  reference: string | undefined;
};

/** A request that was read: its address, as written, is one of this coin and pays to `script`. */
export type ParsedPaymentUri = PaymentRequest & { script: Uint8Array };

/** The part of a profile that payment URIs depend on. */
export type PaymentUriRules = Pick<CoinProfile, 'address' | 'decimals' | 'uriScheme'>;

const TEXT_KEYS = ['label', 'message', 'reference'] as const;
const MAX_URI_CHARS = 4096;
/** One parameter in the characters that RFC 3986 allows in a query, percent-encoding whole. */
const PARAMETER_PATTERN =
  /^((?:[\w.~!$'()*+,;:@/?-]|%[0-9a-fA-F]{2})+)(?:=((?:[\w.~!$'()*+,;:@/?-]|%[0-9a-fA-F]{2})*))?$/;

/**
 * Writes `<scheme>:<address>?amount=&label=&message=&reference=` (BIP-21), leaving out what is undefined. Fails
 * on an address of another coin, a negative amount, text that is no valid Unicode, and over 4,096 characters.
 */
export function buildPaymentUri(request: PaymentRequest, profile: PaymentUriRules): Result<string> {
  const address = decodeAddress(request.address, profile);
  if (!address.ok) return address;
  const parameters: string[] = [];
  if (request.amount !== undefined) {
    const amount = formatAmount(request.amount, profile.decimals);
    const readable = parseAmount(amount, profile.decimals);
    if (!readable.ok) return readable;
    parameters.push(`amount=${amount}`);
  }
  for (const key of TEXT_KEYS) {
    const text = request[key];
    if (text === undefined) continue;
    if (!text.isWellFormed()) return fail(`${key} is not valid Unicode text`);
    parameters.push(`${key}=${encodeURIComponent(text)}`);
  }
  const query = parameters.length > 0 ? `?${parameters.join('&')}` : '';
  const uri = `${profile.uriScheme}:${request.address}${query}`;
  return uri.length > MAX_URI_CHARS ? fail(`payment URI is over ${MAX_URI_CHARS} characters`) : ok(uri);
}

/**
 * Reads an untrusted payment URI by BIP-21. Scheme and parameter names are read in either case. Refused: a
 * parameter given twice, an unknown one that begins with `req-`, malformed percent-encoding, bytes that are no
 * UTF-8, an amount that is not plain decimal, an address of another coin. Other unknown parameters are ignored.
 */
export function parsePaymentUri(text: string, profile: PaymentUriRules): Result<ParsedPaymentUri> {
  if (text.length > MAX_URI_CHARS) return fail(`payment URI is over ${MAX_URI_CHARS} characters`);
  const schemeEnd = text.indexOf(':');
  if (schemeEnd < 0 || text.slice(0, schemeEnd).toLowerCase() !== profile.uriScheme) {
    return fail(`payment URI must begin with "${profile.uriScheme}:"`);
  }
  const queryStart = text.indexOf('?', schemeEnd);
  const address = text.slice(schemeEnd + 1, queryStart < 0 ? undefined : queryStart);
  const decoded = decodeAddress(address, profile);
  if (!decoded.ok) return decoded;

  const parameters =
    queryStart < 0 ? ok(new Map<string, string>()) : parseParameters(text.slice(queryStart + 1));
  if (!parameters.ok) return parameters;
  const amountText = parameters.value.get('amount');
  const amount = amountText === undefined ? ok(undefined) : parseUriAmount(amountText, profile.decimals);
  if (!amount.ok) return amount;
  return ok({
    address,
    script: decoded.value.script,
    amount: amount.value,
    label: parameters.value.get('label'),
    message: parameters.value.get('message'),
    reference: parameters.value.get('reference'),
  });
}

/** BIP-21 has decimal digits with a point; wallets also write `.5`, `5.` and `00.5`. */
function parseUriAmount(text: string, decimals: number): Result<bigint> {
  const [, whole, fraction] = /^(?=\.?[0-9])0*([0-9]*)(?:\.([0-9]*))?$/.exec(text) ?? [];
  if (whole === undefined) return parseAmount(text, decimals);
  return parseAmount(`${whole || '0'}${fraction ? `.${fraction}` : ''}`, decimals);
}

function parseParameters(query: string): Result<Map<string, string>> {
  const parameters = new Map<string, string>();
  for (const parameter of query.split('&')) {
    const [, rawKey, rawValue] = PARAMETER_PATTERN.exec(parameter) ?? [];
    const key = rawKey === undefined ? undefined : decodePercent(rawKey)?.toLowerCase();
    const value = rawValue === undefined ? '' : decodePercent(rawValue);
    if (key === undefined || value === undefined) return fail('payment URI has a malformed parameter');
    if (parameters.has(key)) return fail(`payment URI has the parameter "${key.slice(0, 40)}" twice`);
    if (key.startsWith('req-'))
      return fail(`payment URI requires "${key.slice(0, 40)}", which is unknown here`);
    if (rawValue === undefined && isKnownKey(key)) return fail(`payment URI has no value for "${key}"`);
    parameters.set(key, value);
  }
  return ok(parameters);
}

function isKnownKey(key: string): boolean {
  return key === 'amount' || (TEXT_KEYS as readonly string[]).includes(key);
}

/** Strict: undefined where the encoded bytes are no UTF-8. A plus sign is a plus sign, as BIP-21 has it. */
function decodePercent(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
