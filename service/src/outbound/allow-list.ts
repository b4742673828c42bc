/** What the operator opens for outgoing requests beyond the public internet: addresses, networks and hosts. */

import { isIP } from 'node:net';
import type ipaddr from 'ipaddr.js';
import { parseAddress } from './address-rules.ts';

export type AllowList = {
  readonly isEmpty: boolean;
  /** Whether an IP address, in any form, is opened. */
  hasAddress(address: string): boolean;
  /** Whether a host name is opened, wherever it leads. */
  hasHost(host: string): boolean;
  /** Whether the host of a URL is opened, be it an address (IPv6 without brackets) or a name. */
  opens(host: string): boolean;
};

type Network = [ipaddr.IPv4 | ipaddr.IPv6, number];

const loopbackEntries = ['127.0.0.0/8', '::1', 'localhost'];
const hostPattern = /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]{0,62})(\.[a-z0-9_][a-z0-9_-]{0,62})*$/;

/** Whether this can be an entry: an address, a network such as 10.0.0.0/8, a host name, or `loopback`. */
export function isAllowEntry(entry: string): boolean {
  return findNetwork(entry) !== undefined || isHostName(entry);
}

/** Makes the list of entries that {@link isAllowEntry} accepts. */
export function createAllowList(entries: readonly string[]): AllowList {
  const spelledOut = entries.flatMap((entry) => (entry === 'loopback' ? loopbackEntries : [entry]));
  const networks = spelledOut.map(findNetwork).filter((network) => network !== undefined);
  const hosts = new Set(spelledOut.filter(isHostName).map((host) => host.toLowerCase()));
  const hasAddress = (address: string): boolean => {
    const parsed = parseAddress(address);
    if (parsed === undefined) return false;
    return networks.some(([base, bits]) => base.kind() === parsed.kind() && parsed.match(base, bits));
  };
  const hasHost = (host: string): boolean => hosts.has(host.toLowerCase());
  return {
    isEmpty: entries.length === 0,
    hasAddress,
    hasHost,
    opens: (host) => (isIP(host) === 0 ? hasHost(host) : hasAddress(host)),
  };
}

function findNetwork(entry: string): Network | undefined {
  const [text = '', bits, ...rest] = entry.split('/');
  const base = parseAddress(text);
  if (base === undefined || rest.length > 0) return undefined;
  const widest = base.kind() === 'ipv4' ? 32 : 128;
  if (bits === undefined) return [base, widest];
  return /^[0-9]{1,3}$/.test(bits) && Number(bits) <= widest ? [base, Number(bits)] : undefined;
}

/** A name whose last label is no number: URLs take those for addresses. */
function isHostName(entry: string): boolean {
  return hostPattern.test(entry.toLowerCase()) && !/(^|\.)(0x[0-9a-f]*|[0-9]+)$/.test(entry.toLowerCase());
}
