/** Opens the connection of a look: to an address, to where a host name leads now, or by the proxy to an onion address. */

import { isIP, type Socket } from 'node:net';
import { openGuardedSocket } from '../../../outbound/guarded-connect.ts';
import { AddressRefusedError } from '../../../outbound/outbound-error.ts';
import { isNameAbsent, type NameServers } from '../../../outbound/resolve-host.ts';
import { connectBySocks, ProxyError } from '../../../outbound/socks-connect.ts';
import {
  type AddressEndpoint,
  type Endpoint,
  endpointOfAddress,
  findEndpointFault,
  type NameEndpoint,
  type OnionEndpoint,
} from '../nodes/endpoint-rules.ts';
import { resolveEndpoint } from '../nodes/resolve-endpoint.ts';
import type { RegistryRules } from '../registry-context.ts';
import { isOwnFault } from './is-own-fault.ts';

/** Where a host name led. */
export type Reached = Pick<AddressEndpoint, 'text' | 'network'>;

/** A connection, or why there is none: `ownFault` says nothing of the node. */
export type Opened =
  | { socket: Socket; reached?: Reached | undefined }
  | { fault: string }
  | { ownFault: string };

export type OpenOptions = {
  rules: Pick<RegistryRules, 'allow' | 'ports' | 'socks'>;
  nameServers: NameServers;
  /** Where a host name led before, `ip:port`. */
  before: string | null;
  /** Whether there is room in a network that a host name has moved to: without it nothing there is connected to. */
  mayMove: (to: Reached) => boolean;
  connectMs: number;
};

/** Onion services answer by way of six relays, and their descriptors are fetched first. */
const ONION_FACTOR = 4;

/** @throws what `limit` was aborted with */
export async function openNode(
  endpoint: Endpoint,
  options: OpenOptions,
  limit: AbortSignal,
): Promise<Opened> {
  // The rules may have changed since it was registered.
  if (findEndpointFault(endpoint, options.rules) !== undefined) return { ownFault: 'endpoint_refused' };
  if (endpoint.kind === 'onion') return await openOnion(endpoint, options, limit);
  if (endpoint.kind === 'name') return await openName(endpoint, options, limit);
  try {
    return { socket: await connect(endpoint.address, [endpoint], options) };
  } catch (error) {
    limit.throwIfAborted();
    // Of this machine itself, which only the operator's list opens.
    if (error instanceof AddressRefusedError) return { ownFault: 'endpoint_refused' };
    return await explain(error, [endpoint]);
  }
}

async function openName(endpoint: NameEndpoint, options: OpenOptions, limit: AbortSignal): Promise<Opened> {
  const { rules, nameServers, before, mayMove } = options;
  let found: readonly AddressEndpoint[];
  try {
    found = await resolveEndpoint(endpoint, rules, nameServers.resolve, before);
  } catch (error) {
    limit.throwIfAborted();
    // Whoever has the name decides where it leads.
    if (error instanceof AddressRefusedError) return { fault: 'address_refused' };
    if (isNameAbsent(error) || (await nameServers.areReachable())) return { fault: 'unresolved' };
    return { ownFault: 'no_name_server' };
  }
  const permitted = choosePlaces(found, before, mayMove);
  if (permitted.length === 0) return { fault: 'network_full' };
  try {
    const socket = await connect(endpoint.host, permitted, options);
    const reached = endpointOfAddress(socket.remoteAddress ?? '', endpoint.port);
    return { socket, reached: reached ?? permitted[0] };
  } catch (error) {
    limit.throwIfAborted();
    if (error instanceof AddressRefusedError) return { fault: 'address_refused' };
    return await explain(error, permitted);
  }
}

/**
 * Where it was before, and of each family one place that it may move to. A name with many addresses would otherwise take a seat in the
 * networks of all of them, though its node is at one.
 */
function choosePlaces(
  found: readonly AddressEndpoint[],
  before: string | null,
  mayMove: (to: Reached) => boolean,
): AddressEndpoint[] {
  const kept = found.filter(({ text }) => text === before);
  const moved = found.filter(({ text }) => text !== before);
  const chosen = [4, 6].flatMap(
    (family) => moved.find((each) => isIP(each.address) === family && mayMove(each)) ?? [],
  );
  return [...kept, ...chosen];
}

async function openOnion(
  { host, port }: OnionEndpoint,
  { rules, connectMs }: OpenOptions,
  limit: AbortSignal,
): Promise<Opened> {
  const connecting = AbortSignal.any([limit, AbortSignal.timeout(connectMs * ONION_FACTOR)]);
  try {
    return { socket: await connectBySocks(rules.socks!, { name: host, port }, connectMs / 2, connecting) };
  } catch (error) {
    if (error instanceof ProxyError) return { ownFault: 'no_proxy' };
    limit.throwIfAborted();
    return { fault: 'unreachable' };
  }
}

/** Connects to one of the addresses, which were judged already, and to nothing that the name may have come to mean since. */
async function connect(
  host: string,
  endpoints: readonly AddressEndpoint[],
  { rules: { allow }, connectMs }: OpenOptions,
): Promise<Socket> {
  return await openGuardedSocket(
    { secure: false, host, port: endpoints[0]!.port },
    {
      allow,
      plain: true,
      connectTimeoutMs: connectMs,
      resolve: async () => endpoints.map(({ address }) => address),
    },
  );
}

async function explain(error: unknown, endpoints: readonly AddressEndpoint[]): Promise<Opened> {
  const own = await Promise.all(endpoints.map(({ address }) => isOwnFault(error, address)));
  return own.every(Boolean) ? { ownFault: 'no_route' } : { fault: 'unreachable' };
}
