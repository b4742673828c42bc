/** Where the host name of an endpoint leads: asked anew each time, and every answer judged as an address that is registered. */

import { findPermittedAddresses } from '../../../outbound/guarded-connect.ts';
import type { ResolveHost } from '../../../outbound/resolve-host.ts';
import type { RegistryRules } from '../registry-context.ts';
import { type AddressEndpoint, endpointOfAddress, type NameEndpoint } from './endpoint-rules.ts';

/** For the look-up of one name. */
const RESOLVE_MS = 5_000;

/**
 * The endpoints that a name leads to; the one of before first if it is among them.
 *
 * @param before `ip:port` where it led before, if that is known
 * @throws OutboundError when there is none; AddressRefusedError when one of them is not to be connected to
 */
export async function resolveEndpoint(
  { host, port }: NameEndpoint,
  { allow }: Pick<RegistryRules, 'allow'>,
  resolve: ResolveHost,
  before?: string | null,
): Promise<readonly AddressEndpoint[]> {
  const addresses = await findPermittedAddresses(
    { secure: false, host, port },
    { allow, resolve, plain: true, connectTimeoutMs: RESOLVE_MS },
  );
  const endpoints = addresses.flatMap((address) => endpointOfAddress(address, port) ?? []);
  return [
    ...endpoints.filter(({ text }) => text === before),
    ...endpoints.filter(({ text }) => text !== before),
  ];
}
