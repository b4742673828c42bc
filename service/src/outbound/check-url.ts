/** The rules of an address that events are sent to, checked when it is given; where it leads is checked at each connection. */

import { isIP } from 'node:net';
import { fail, ok, type Result } from '@coinfront/protocol/result.ts';
import { isPublicAddress } from './address-rules.ts';
import type { AllowList } from './allow-list.ts';

/** Characters of a URL that is accepted, before and after it is normalised. */
export const maxOutboundUrlLength = 2_000;

/**
 * Checks a URL that somebody else chose: absolute, https, without credentials or fragment, and no address of a
 * private network. An address or a host that the allow-list names may also be reached by http. Gives the normalised URL.
 *
 * A host name may still lead to a private address: that is refused when it is connected to.
 */
export function checkOutboundUrl(given: string, allow: AllowList): Result<string> {
  if (given.length > maxOutboundUrlLength) return fail(`is longer than ${maxOutboundUrlLength} characters`);
  // The URL standard drops line breaks and mends missing slashes; what it has to mend was not meant.
  if (!/^https?:\/\/(?!\/)[^\s\\\p{Cc}]+$/iu.test(given) || !URL.canParse(given))
    return fail('is not an absolute https URL, such as https://shop.example/hooks');
  const url = new URL(given);
  if (url.username !== '' || url.password !== '') return fail('must not hold a user or password');
  if (given.includes('#')) return fail('must not have a fragment (#…)');
  if (url.port === '0') return fail('has port 0, which nothing can listen on');
  if (url.href.length > maxOutboundUrlLength)
    return fail(`is longer than ${maxOutboundUrlLength} characters when it is percent-encoded`);
  const host = hostOf(url);
  if (host.endsWith('.')) return fail('has a host that ends with a dot; leave the dot out');
  const isAddress = isIP(host) !== 0;
  if (allow.opens(host)) return ok(url.href);
  if (isAddress && !isPublicAddress(host)) return fail('has an address that is not of the public internet');
  if (isLoopbackName(host)) return fail('names this machine, which is not of the public internet');
  if (url.protocol === 'http:') return fail('is not encrypted; use https');
  return ok(url.href);
}

/** The host of a URL without the brackets of IPv6. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '');
}

/** Names that RFC 6761 reserves for the machine itself. */
export function isLoopbackName(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost');
}
