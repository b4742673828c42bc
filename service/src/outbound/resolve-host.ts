import { Resolver } from 'node:dns/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { isLoopbackName } from './check-url.ts';
import { OutboundError } from './outbound-error.ts';

/** Finds the addresses of a host name; ends when `signal` is aborted. */
export type ResolveHost = (host: string, signal: AbortSignal) => Promise<readonly string[]>;

/** Name servers, as those of the system are known. */
export type NameServers = {
  resolve: ResolveHost;
  /** Whether they answer at all: they are asked for the root, which nobody's name can spoil. */
  areReachable(): Promise<boolean>;
};

const QUERY_TIMEOUT_MS = 1_500;
const QUERY_TRIES = 2;
/** How long IPv6 addresses are waited for once there are IPv4 ones: some servers never answer for them. */
const IPV6_GRACE_MS = 300;
/** Addresses of each family that are looked at. */
const MAX_ADDRESSES = 8;

/** What name servers say when there is no such name or no such record: they are not at fault then. */
const absent: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'ENODATA']);

/**
 * Asks the name servers of the system, IPv4 addresses first.
 *
 * Not by `dns.lookup`: that occupies one of the few threads of the process for as long as a name server takes, and whoever
 * chooses the name chooses its server. So /etc/hosts is not read.
 *
 * @throws OutboundError when there is none; its cause says whether the servers were at fault ({@link isNameAbsent})
 */
export function resolveHost(host: string, signal: AbortSignal): Promise<readonly string[]> {
  return resolveBy(undefined, host, signal);
}

/** @param servers `ip:port` of each, instead of those of the system */
export function createNameServers(servers?: readonly string[]): NameServers {
  return {
    resolve: (host, signal) => resolveBy(servers, host, signal),
    async areReachable() {
      try {
        await openResolver(servers).resolveNs('.');
        return true;
      } catch (error) {
        return absent.has((error as { code?: unknown }).code);
      }
    },
  };
}

/** Whether a look-up failed because the name has no address, as its own servers say. */
export function isNameAbsent(error: unknown): boolean {
  return absent.has((error as { cause?: { code?: unknown } }).cause?.code);
}

function openResolver(servers: readonly string[] | undefined): Resolver {
  const resolver = new Resolver({ timeout: QUERY_TIMEOUT_MS, tries: QUERY_TRIES });
  if (servers !== undefined) resolver.setServers(servers);
  return resolver;
}

async function resolveBy(
  servers: readonly string[] | undefined,
  host: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (isLoopbackName(host)) return ['127.0.0.1', '::1'];
  // RFC 7686: name servers must not learn of them.
  if (host.endsWith('.onion')) throw new OutboundError('The host name has no address.');
  const resolver = openResolver(servers);
  const cancel = () => resolver.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    signal.throwIfAborted();
    let failure: { code?: unknown } | undefined;
    const none = (error?: { code?: unknown }): string[] => {
      if (failure === undefined || absent.has(failure.code)) failure = error;
      return [];
    };
    const ipv6 = resolver.resolve6(host).catch(none);
    const found = (await resolver.resolve4(host).catch(none)).slice(0, MAX_ADDRESSES);
    const grace = new AbortController();
    const late = found.length > 0 ? [delay(IPV6_GRACE_MS, [], { signal: grace.signal }).catch(() => [])] : [];
    found.push(...(await Promise.race([ipv6, ...late])).slice(0, MAX_ADDRESSES));
    grace.abort();
    if (found.length === 0) throw new OutboundError('The host name has no address.', { cause: failure });
    return found;
  } finally {
    signal.removeEventListener('abort', cancel);
    resolver.cancel();
  }
}
