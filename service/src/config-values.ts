/** Parsers of single settings: each returns the value, or a text that says what is wrong with it. */

import { isIP } from 'node:net';
import { fail, ok, type Result } from '@coinfront/protocol/result.ts';

/** Where a server listens. Port 0 lets the system choose. */
export type Listen = { host: string; port: number };

/** `host:port`, `[ipv6]:port` or `port` alone (loopback). */
export function parseListen(given: string): Listen | string {
  const match = /^(?:(?:\[([0-9a-fA-F:.]+)\]|([^\s:[\]]+)):)?([0-9]{1,5})$/.exec(given);
  const port = Number(match?.[3] ?? Number.NaN);
  if (match === null || port > 65_535)
    return `"${given}" is not of the form host:port, such as 127.0.0.1:8080.`;
  return { host: match[1] ?? match[2] ?? '127.0.0.1', port };
}

/** A whole number in decimal digits between two bounds, both allowed. */
export function parseWhole(given: string, least: number, most: number): number | string {
  const value = /^[0-9]{1,9}$/.test(given) ? Number(given) : Number.NaN;
  return value >= least && value <= most
    ? value
    : `"${given}" is not a whole number from ${least} to ${most}.`;
}

/** Whether this is an IP address, or a network in CIDR notation. */
export function isNetwork(given: string): boolean {
  const [address = '', bits, ...rest] = given.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return bits === undefined || typeof parseWhole(bits, 0, version === 4 ? 32 : 128) === 'number';
}

/** An http or https URL without query; the slash at its end is removed. */
export function parsePublicUrl(given: string): Result<string> {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') {
    return fail(`"${given}" is not a URL such as https://coin.example.`);
  }
  if (url.username !== '' || url.password !== '') return fail('a public URL must not hold a password.');
  return ok(url.href.replace(/\/+$/, ''));
}
