/** Which endpoints a node may be registered with, and which network each belongs to. */

import { fail, ok, type Result } from '@coinfront/protocol/result.ts';
import { isPublicAddress, parseAddress } from '../../../outbound/address-rules.ts';
import type { AllowList } from '../../../outbound/allow-list.ts';

/** Where a node listens, in the one form that is signed and stored. */
export type Endpoint = {
  /** `ip:port`, or `[ipv6]:port`. */
  text: string;
  address: string;
  port: number;
  /** Its /24, or its /48: what counts as one neighbourhood. */
  network: string;
};

/** Ports that nodes may listen on; `any` is every one that needs no privilege. */
export type PortRule = 'any' | readonly number[];

/** Bits of a network. IPv6 sites get a /48 or less: a /64 would be as easy to multiply as an address. */
export const NETWORK_BITS = { ipv4: 24, ipv6: 48 } as const;
const FIRST_UNPRIVILEGED_PORT = 1024;

/** Reads `ip:port` or `[ipv6]:port`: addresses only, since a name could lead elsewhere tomorrow. */
export function parseEndpoint(text: string): Result<Endpoint> {
  const match = /^(?:\[([0-9a-fA-F:.]{2,45})\]|([0-9.]{7,15})):([1-9][0-9]{0,4})$/.exec(text);
  const port = Number(match?.[3] ?? 0);
  const parsed = match === null ? undefined : parseAddress((match[1] ?? match[2])!);
  if (parsed === undefined || port < 1 || port > 65_535)
    return fail('an endpoint is ip:port, such as 203.0.113.7:29666 or [2001:db8::7]:29666');
  const kind = parsed.kind();
  const address = parsed.toString();
  return ok({
    address,
    port,
    text: kind === 'ipv4' ? `${address}:${port}` : `[${address}]:${port}`,
    network: networkOf(parsed.toByteArray(), NETWORK_BITS[kind]),
  });
}

function networkOf(bytes: readonly number[], bits: number): string {
  const kept = bytes.slice(0, bits / 8);
  if (bytes.length === 4) return `${kept.join('.')}.0/${bits}`;
  const groups = [0, 2, 4].map((i) => ((kept[i]! << 8) | kept[i + 1]!).toString(16));
  return `${groups.join(':')}::/${bits}`;
}

/** Why an endpoint must not be looked at; undefined when it may be. */
export function findEndpointFault(
  { address, port }: Endpoint,
  { allow, ports }: { allow: AllowList; ports: PortRule },
): string | undefined {
  if (!isPublicAddress(address) && !allow.hasAddress(address))
    return `${address} is not an address of the public internet`;
  if (ports === 'any')
    return port < FIRST_UNPRIVILEGED_PORT
      ? `ports below ${FIRST_UNPRIVILEGED_PORT} are not taken`
      : undefined;
  return ports.includes(port) ? undefined : `nodes listen on port ${ports.join(' or ')} here, not on ${port}`;
}
