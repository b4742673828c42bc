import { Resolver } from 'node:dns/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { isLoopbackName } from './check-url.ts';
import { OutboundError } from './outbound-error.ts';

/** Finds the addresses of a host name; ends when `signal` is aborted. */
export type ResolveHost = (host: string, signal: AbortSignal) => Promise<readonly string[]>;

const QUERY_TIMEOUT_MS = 1_500;
const QUERY_TRIES = 2;
/** How long IPv6 addresses are waited for once there are IPv4 ones: some servers never answer for them. */
const IPV6_GRACE_MS = 300;
/** Addresses of each family that are looked at. */
const MAX_ADDRESSES = 8;

/**
 * Asks the name servers of the system, IPv4 addresses first.
 *
 * Not by `dns.lookup`: that occupies one of the few threads of the process for as long as a name server takes, and whoever
 * chooses the name chooses its server. So /etc/hosts is not read.
 *
 * @throws OutboundError when there is none
 */
export async function resolveHost(host: string, signal: AbortSignal): Promise<readonly string[]> {
  if (isLoopbackName(host)) return ['127.0.0.1', '::1'];
  const resolver = new Resolver({ timeout: QUERY_TIMEOUT_MS, tries: QUERY_TRIES });
  const cancel = () => resolver.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    signal.throwIfAborted();
    const none = (): string[] => [];
    const ipv6 = resolver.resolve6(host).catch(none);
    const found = (await resolver.resolve4(host).catch(none)).slice(0, MAX_ADDRESSES);
    const grace = new AbortController();
    const late = found.length > 0 ? [delay(IPV6_GRACE_MS, [], { signal: grace.signal }).catch(none)] : [];
    found.push(...(await Promise.race([ipv6, ...late])).slice(0, MAX_ADDRESSES));
    grace.abort();
    if (found.length === 0) throw new OutboundError('The host name has no address.');
    return found;
  } finally {
    signal.removeEventListener('abort', cancel);
    resolver.cancel();
  }
}
