/** What an application asks for when it wants a key, and whether its request is one to show to a merchant. */

import { fail, ok, type Result } from '@coinfront/protocol/result.ts';
import { isLoopbackName } from '../../../outbound/check-url.ts';
import { hostForm } from '../checkout/browser-address-rules.ts';
import { type Permission, sortPermissions } from './permission-rules.ts';

/** A request for a key. */
export type GrantRequest = {
  /** What the application calls itself; anybody can call itself anything. */
  applicationName: string;
  granted: readonly Permission[];
  /** Permissions that nothing here has. */
  unknown: readonly string[];
  /** Where the key is sent; undefined shows it to the merchant instead. */
  redirect: URL | undefined;
};

type Fields = Readonly<Record<string, string | string[] | undefined>>;

const limits = { name: 60, permissions: 40, permissionLength: 100, redirect: 2_000 } as const;
const nameless = 'An application';

/** Reads a request from the query of the page, or from its form. */
export function readGrantRequest(fields: Fields): Result<GrantRequest> {
  const asked = [fields.permissions ?? []].flat();
  if (asked.length > limits.permissions || asked.some((each) => each.length > limits.permissionLength)) {
    return fail('asks for more permissions than there are');
  }
  const { granted, unknown } = sortPermissions(asked);
  if (granted.length === 0) return fail('asks for no permission that can be given here');
  const redirect = readRedirect(first(fields.redirect));
  if (!redirect.ok) return redirect;
  const name = cleanName(first(fields.applicationName) ?? '');
  return ok({ applicationName: name === '' ? nameless : name, granted, unknown, redirect: redirect.value });
}

/** A key is sent by the browser, in the clear where that is not encrypted. */
function readRedirect(given: string | undefined): Result<URL | undefined> {
  if (given === undefined || given === '') return ok(undefined);
  const isWhole = given.length <= limits.redirect && /^https?:\/\/(?!\/)[^\s\\\p{Cc}]+$/iu.test(given);
  if (!isWhole || !URL.canParse(given)) return fail('wants the key sent to what is no absolute https URL');
  const url = new URL(given);
  if (!hostForm.test(url.hostname)) return fail('wants the key sent to a host that no shop has');
  if (url.username !== '' || url.password !== '')
    return fail('wants the key sent to a URL with a user in it');
  const isHere = isLoopbackName(url.hostname) || url.hostname === '[::1]' || /^127\./.test(url.hostname);
  if (url.protocol !== 'https:' && !isHere)
    return fail('wants the key sent unencrypted; use https for the shop');
  return ok(url);
}

/** What a page shows of a name, and what the key is called: one line of plain characters. */
function cleanName(name: string): string {
  return [
    ...name
      .toWellFormed()
      .replace(/[\p{C}\s]+/gu, ' ')
      .trim(),
  ]
    .slice(0, limits.name)
    .join('')
    .trim();
}

function first(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}

/** What a browser says of where a form comes from. */
export type FormOrigin = { site: string | undefined; origin: string | undefined };

/**
 * Whether a form was sent by a page of this service: nobody else's page may send a merchant's shop a key, above all not one
 * of another merchant.
 *
 * @param hosts host and port by which this service is reached
 */
export function isOwnForm({ site, origin }: FormOrigin, hosts: readonly string[]): boolean {
  if (site !== undefined) return site === 'same-origin';
  return origin !== undefined && URL.canParse(origin) && hosts.includes(new URL(origin).host);
}
