/** Addresses that a merchant gives for the buyer's browser: where it goes afterwards, and who may have the page in a frame. */

import { fail, ok, type Result } from '@coinfront/protocol/result.ts';

/** Whether the operator has opened a host, so that plain http will do. */
export type IsOpenedHost = (host: string) => boolean;

/** Parameters that are added to a return address. */
const addedParameters = ['payment_id', 'status', 'timestamp', 'signature'];
const maxLength = 2_000;

/** Names, IPv4 and IPv6, as `URL` writes them. The URL standard also takes hosts with `;`, `,` and `*`, which mean something in a policy. */
export const hostForm =
  /^(?:[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?)*|\[[0-9a-f:.]+\])$/;

/** Checks a `return_url` and gives it normalised. Reasons continue its name. */
export function checkReturnUrl(given: string, isOpened: IsOpenedHost): Result<string> {
  const parsed = parse(given, isOpened);
  if (!parsed.ok) return parsed;
  const url = parsed.value;
  if (url.href.length > maxLength)
    return fail(`is longer than ${maxLength} characters when it is percent-encoded`);
  const taken = addedParameters.find((name) => url.searchParams.has(name));
  if (taken !== undefined) return fail(`has the parameter "${taken}", which is added to it`);
  return ok(url.href);
}

/** Checks an origin that may embed the page and gives it normalised. */
export function checkEmbedOrigin(given: string, isOpened: IsOpenedHost): Result<string> {
  const parsed = parse(given, isOpened);
  if (!parsed.ok) return parsed;
  const { href, origin, hostname } = parsed.value;
  // What a policy (CSP, `frame-ancestors`) has no way to name.
  if (!/^[a-z0-9.-]+$/.test(hostname)) return fail('has a host that no policy can name; give a name or IPv4');
  return href === `${origin}/`
    ? ok(origin)
    : fail('is more than an origin; give the scheme and the host alone, such as https://shop.example');
}

function parse(given: string, isOpened: IsOpenedHost): Result<URL> {
  if (given.length > maxLength) return fail(`is longer than ${maxLength} characters`);
  // The URL standard drops line breaks and mends missing slashes; what it has to mend was not meant.
  const isForm = given.isWellFormed() && /^https?:\/\/(?!\/)[^\s\\\p{Cc}]+$/iu.test(given);
  const url = isForm ? URL.parse(given) : null;
  if (url === null || !hostForm.test(url.hostname))
    return fail('is not an absolute https URL, such as https://shop.example/orders/1043');
  if (url.username !== '' || url.password !== '') return fail('must not hold a user or password');
  if (url.port === '0') return fail('has port 0, which nothing can listen on');
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (url.protocol === 'http:' && !isOpened(host)) return fail('is not encrypted; use https');
  return ok(url);
}
