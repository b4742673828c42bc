/**
 * Who asks, as far as an address tells: what all bounds of clients count.
 *
 * An IPv4 address is one client. Of IPv6 a /64 is, for a network has that many addresses at the least; and since a customer
 * is given a /56 or a /48 as easily, those are counted beside it, with a few times as much for all that are in them.
 */

import { BlockList, isIP, isIPv4 } from 'node:net';

/** Addresses of another family are counted apart, whatever comes of this one. `unknown` is what is no address. */
export type Family = 'ipv4' | 'ipv6' | 'unknown';

/** A network that is counted, and how many times what one client may have all of it may have. */
export type CountedNetwork = { readonly name: string; readonly share: number };

/** A client: the first of its networks is itself, the others are around it. */
export type Client = {
  readonly family: Family;
  readonly networks: readonly [CountedNetwork, ...CountedNetwork[]];
};

/** What networks of IPv6 may have, in clients. A /56 holds 256 of them, a /48 65,536. */
export const networkShares = { 64: 1, 56: 4, 48: 16 } as const;

const COLON = 0x3a;
const loopback = ['127.0.0.0/8', '::1'];
const noGroups: readonly number[] = [0, 0, 0, 0, 0, 0, 0, 0];
/** RFC 6052: IPv4 addresses behind a translator of the network. */
const NAT64_PREFIX = [0x64, 0xff9b, 0, 0, 0, 0];
const MAPPED_PREFIX = [0, 0, 0, 0, 0, 0xffff];
/** The longest form of an address with brackets, a zone and a port. */
const MAX_LENGTH = 100;
const unknownClient: Client = { family: 'unknown', networks: [{ name: 'unknown', share: 1 }] };

/**
 * The client of an address in any form in which servers and proxies write one: with a port, in brackets, with a zone, IPv4
 * inside IPv6. All that is no address is one client together.
 */
export function parseClient(address: string): Client {
  const bare = bareAddress(address);
  if (bare === undefined) return unknownClient;
  if (isIPv4(bare)) return ofIpv4(bare);
  const groups = groupsOf(bare);
  const inside = findIpv4Inside(groups);
  return inside === undefined ? ofIpv6(groups) : ofIpv4(inside);
}

/** An address as servers and proxies write it, without port, brackets and zone; undefined for what is none. */
export function bareAddress(text: string): string | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  if (isIP(text) !== 0 && !text.includes('%')) return text;
  const trimmed = text.trim();
  const [, bracketed, withPort] =
    /^(?:\[([^\]]*)\](?::[0-9]{0,5})?|([0-9.]+):[0-9]{1,5})$/.exec(trimmed) ?? [];
  const [address = ''] = (bracketed ?? withPort ?? trimmed).split('%', 1);
  return isIP(address) === 0 ? undefined : address;
}

/**
 * Whether an address, in any of these forms, is one of the proxies whose `X-Forwarded-For` is believed: addresses, networks,
 * or `loopback`.
 */
export function createProxyCheck(trusted: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const entry of trusted.flatMap((each) => (each === 'loopback' ? loopback : [each]))) {
    const [address = '', bits] = entry.split('/');
    const family = isIPv4(address) ? 'ipv4' : 'ipv6';
    list.addSubnet(address, bits === undefined ? (family === 'ipv4' ? 32 : 128) : Number(bits), family);
  }
  return (address) => {
    const bare = bareAddress(address);
    // IPv4 inside IPv6 is looked for in the lists of both.
    return bare !== undefined && list.check(bare, isIPv4(bare) ? 'ipv4' : 'ipv6');
  };
}

function ofIpv4(name: string): Client {
  return { family: 'ipv4', networks: [{ name, share: 1 }] };
}

function ofIpv6([a = 0, b = 0, c = 0, d = 0]: readonly number[]): Client {
  const site = `${a.toString(16)}:${b.toString(16)}:${c.toString(16)}`;
  return {
    family: 'ipv6',
    networks: [
      { name: `${site}:${d.toString(16)}::/64`, share: networkShares[64] },
      { name: `${site}:${(d & 0xff00).toString(16)}::/56`, share: networkShares[56] },
      { name: `${site}::/48`, share: networkShares[48] },
    ],
  };
}

/** The eight groups of an IPv6 address that is one. Read by character: this is on the way of every request. */
function groupsOf(address: string): number[] {
  const groups: number[] = [];
  let gapAt = -1;
  let at = 0;
  while (at < address.length) {
    if (address.charCodeAt(at) === COLON) {
      // The first of `::`, or the one that ends a group.
      if (address.charCodeAt(at + 1) === COLON) {
        gapAt = groups.length;
        at += 1;
      }
      at += 1;
      continue;
    }
    const colon = address.indexOf(':', at);
    const end = colon === -1 ? address.length : colon;
    const text = address.slice(at, end);
    if (text.includes('.')) groups.push(...readDotted(text));
    else groups.push(Number.parseInt(text, 16));
    at = end;
  }
  if (gapAt >= 0) groups.splice(gapAt, 0, ...noGroups.slice(groups.length));
  return groups;
}

function readDotted(text: string): [number, number] {
  const [a = 0, b = 0, c = 0, d = 0] = text.split('.').map(Number);
  return [a * 256 + b, c * 256 + d];
}

/** The IPv4 address that an IPv6 address stands for (RFC 4291, 2.5.5.2; RFC 6052). */
function findIpv4Inside(groups: readonly number[]): string | undefined {
  const begins = (prefix: readonly number[]): boolean => prefix.every((group, i) => groups[i] === group);
  if (!begins(MAPPED_PREFIX) && !begins(NAT64_PREFIX)) return undefined;
  return groups
    .slice(6)
    .flatMap((group) => [group >> 8, group & 0xff])
    .join('.');
}
