/** Which endpoints a node may be registered with, and which network each belongs to. */

import { parseOnionAddress } from '@coinfront/protocol/registry/onion-address.ts';
import { fail, ok, type Result } from '@coinfront/protocol/result.ts';
import { isPublicAddress, parseAddress } from '../../../outbound/address-rules.ts';
import type { AllowList } from '../../../outbound/allow-list.ts';
import type { SocksProxy } from '../../../outbound/socks-connect.ts';

/** Where a node listens, in the one form that is signed and stored. */
export type Endpoint = AddressEndpoint | NameEndpoint | OnionEndpoint;

/** `ip:port`, or `[ipv6]:port`. */
export type AddressEndpoint = {
  kind: 'address';
  text: string;
  address: string;
  port: number;
  /** Its /24, or its /48: what counts as one neighbourhood. */
  network: string;
};

/** `host:port`. Where it leads is asked anew for each look. */
export type NameEndpoint = { kind: 'name'; text: string; host: string; port: number };

/** `<56 digits>.onion:port`. */
export type OnionEndpoint = { kind: 'onion'; text: string; host: string; port: number; network: string };

/** Ports that nodes may listen on; `any` is every one that needs no privilege. */
export type PortRule = 'any' | readonly number[];

/** Bits of a network. IPv6 sites get a /48 or less: a /64 would be as easy to multiply as an address. */
export const NETWORK_BITS = { ipv4: 24, ipv6: 48 } as const;
const FIRST_UNPRIVILEGED_PORT = 1024;

/** All onion nodes are one network: whoever has one machine has as many onion addresses as they like. */
export const ONION_NETWORK = 'onion';
const MAX_HOST_LENGTH = 253;
/** Labels of letters, digits and inner hyphens, two at least, of which the last is no number: that would be an address to some. */
const hostPattern =
  /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?![0-9]+$|0x[0-9a-f]*$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const WANTED =
  'an endpoint is ip:port or host:port, such as 203.0.113.7:29666, [2001:db8::7]:29666 or node.example:29666';

/** Reads `ip:port`, `[ipv6]:port`, `host:port` or `<onion address>:port`, each into its one form. */
export function parseEndpoint(text: string): Result<Endpoint> {
  const match = /^(\[[0-9a-fA-F:.]{2,45}\]|[0-9a-zA-Z.-]{4,253}):([1-9][0-9]{0,4})$/.exec(text);
  const port = Number(match?.[2] ?? 0);
  if (match === null || port > 65_535) return fail(WANTED);
  const host = match[1]!.toLowerCase();
  if (host.startsWith('[') || /^[0-9.]+$/.test(host)) return parseAddressEndpoint(host, port);
  if (/(?:^|\.)onion$/.test(host)) {
    const onion = parseOnionAddress(host);
    if (!onion.ok) return onion;
    return ok({ kind: 'onion', host, port, text: `${host}:${port}`, network: ONION_NETWORK });
  }
  if (host.length > MAX_HOST_LENGTH || !hostPattern.test(host)) return fail(WANTED);
  return ok({ kind: 'name', host, port, text: `${host}:${port}` });
}

function parseAddressEndpoint(host: string, port: number): Result<AddressEndpoint> {
  const parsed = parseAddress(host.replace(/^\[|\]$/g, ''));
  if (parsed === undefined || (host.startsWith('[') && !host.includes(':'))) return fail(WANTED);
  return ok(describeAddress(parsed, port));
}

/** The endpoint of an address that a name led to; undefined for what is no address. */
export function endpointOfAddress(address: string, port: number): AddressEndpoint | undefined {
  const parsed = parseAddress(address);
  return parsed && describeAddress(parsed, port);
}

function describeAddress(
  parsed: NonNullable<ReturnType<typeof parseAddress>>,
  port: number,
): AddressEndpoint {
  const kind = parsed.kind();
  const address = parsed.toString();
  return {
    kind: 'address',
    address,
    port,
    text: kind === 'ipv4' ? `${address}:${port}` : `[${address}]:${port}`,
    network: networkOf(parsed.toByteArray(), NETWORK_BITS[kind]),
  };
}

function networkOf(bytes: readonly number[], bits: number): string {
  const kept = bytes.slice(0, bits / 8);
  if (bytes.length === 4) return `${kept.join('.')}.0/${bits}`;
  const groups = [0, 2, 4].map((i) => ((kept[i]! << 8) | kept[i + 1]!).toString(16));
  return `${groups.join(':')}::/${bits}`;
}

/**
 * Why an endpoint must not be looked at; undefined when it may be. Where a name leads is checked when it is asked
 * (`resolve-endpoint.ts`).
 */
export function findEndpointFault(
  endpoint: Endpoint,
  { allow, ports, socks }: { allow: AllowList; ports: PortRule; socks: SocksProxy | undefined },
): string | undefined {
  const { port } = endpoint;
  if (
    endpoint.kind === 'address' &&
    !isPublicAddress(endpoint.address) &&
    !allow.hasAddress(endpoint.address)
  )
    return `${endpoint.address} is not an address of the public internet`;
  if (endpoint.kind === 'onion' && socks === undefined)
    return 'onion addresses are not looked at here: the operator has set no proxy for them (COINFRONT_REGISTRY_SOCKS)';
  if (ports === 'any')
    return port < FIRST_UNPRIVILEGED_PORT
      ? `ports below ${FIRST_UNPRIVILEGED_PORT} are not taken`
      : undefined;
  return ports.includes(port) ? undefined : `nodes listen on port ${ports.join(' or ')} here, not on ${port}`;
}
