/** Which addresses are of the public internet: what others name must never lead to the network that this runs in. */

import ipaddr from 'ipaddr.js';

const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');
/** RFC 6052: the well-known prefix by which IPv6-only networks reach IPv4 addresses. */
const nat64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');
/** A public address by its number, but inside Azure the machine's own platform. */
const platformAddresses: ReadonlySet<string> = new Set(['168.63.129.16']);

/**
 * Whether an address is public unicast. IPv4 inside IPv6 (mapped, NAT64) is judged as the IPv4 address; every other
 * translation or tunnel (6to4, Teredo, local NAT64) is not public.
 */
export function isPublicAddress(address: string): boolean {
  const parsed = parseAddress(address);
  if (parsed === undefined) return false;
  if (parsed.kind() === 'ipv4')
    return parsed.range() === 'unicast' && !platformAddresses.has(parsed.toString());
  const ipv6 = parsed as ipaddr.IPv6;
  if (ipv6.match(nat64)) return isPublicAddress(ipv6.toByteArray().slice(12).join('.'));
  return ipv6.range() === 'unicast' && ipv6.match(globalUnicast);
}

/** An address as the network sees it: IPv4 also where it is written as IPv6; undefined for what is no address. */
export function parseAddress(address: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  // Four decimal numbers and nothing else: other forms of IPv4 mean different addresses to different programs.
  if (ipaddr.IPv4.isValidFourPartDecimal(address)) return ipaddr.IPv4.parse(address);
  const written = writeTailInHex(address);
  return ipaddr.IPv6.isValid(written) ? ipaddr.process(written) : undefined;
}

/** `::1.2.3.4` as `::102:304`: ipaddr.js takes the former for `::ffff:1.2.3.4`, which no system does. */
function writeTailInHex(address: string): string {
  return address.replace(/(?<=:)(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/, (text, ...parts) => {
    const [a, b, c, d] = parts.slice(0, 4).map(Number) as [number, number, number, number];
    if (Math.max(a, b, c, d) > 255) return text;
    return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
  });
}

/** One text for each address, however it was written; undefined for what is no address. */
export function normaliseAddress(address: string): string | undefined {
  return parseAddress(address)?.toString();
}
