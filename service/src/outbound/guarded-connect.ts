/** Connections to addresses that others choose: looked up once, checked, and made to exactly what was checked. */

import { isIP, type LookupFunction, connect as netConnect, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { connect as tlsConnect } from 'node:tls';
import { isPublicAddress, normaliseAddress } from './address-rules.ts';
import type { AllowList } from './allow-list.ts';
import { AddressRefusedError, OutboundError, toOutboundError } from './outbound-error.ts';
import type { ResolveHost } from './resolve-host.ts';

export type GuardOptions = {
  allow: AllowList;
  resolve: ResolveHost;
  /** From the look-up of the name to the end of the TLS handshake. */
  connectTimeoutMs: number;
  /** Certificates of authorities, PEM, instead of those that Node trusts. */
  ca?: readonly string[] | undefined;
  /** For protocols that have no encryption: allows connections without it also beyond the list. */
  plain?: boolean;
};

/** Where to connect to. `host` is without brackets. */
export type Target = { secure: boolean; host: string; port: number };

/**
 * Opens a connection, with TLS and a verified certificate when `secure`.
 *
 * Every address of the name has to be permitted: a name that leads inside with one of its addresses is not one to
 * talk to.
 *
 * @throws OutboundError
 */
export async function openGuardedSocket(target: Target, options: GuardOptions): Promise<Socket> {
  return await withinTime(options, async (signal) => {
    const addresses = await beforeAbort(findAddresses(target, options, signal), signal);
    return await connect(target, addresses, options, signal);
  });
}

/**
 * The addresses of a target, each of which may be connected to by {@link openGuardedSocket}.
 *
 * @throws OutboundError
 */
export async function findPermittedAddresses(
  target: Target,
  options: GuardOptions,
): Promise<readonly string[]> {
  return await withinTime(options, (signal) => beforeAbort(findAddresses(target, options, signal), signal));
}

async function withinTime<T>(
  { connectTimeoutMs }: GuardOptions,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = new AbortController();
  const timer = setTimeout(
    () => limit.abort(new OutboundError('No connection could be made in time.')),
    connectTimeoutMs,
  );
  try {
    return await work(limit.signal);
  } catch (error) {
    throw limit.signal.aborted ? limit.signal.reason : toOutboundError(error);
  } finally {
    clearTimeout(timer);
  }
}

async function findAddresses(
  { secure, host }: Target,
  { allow, resolve, plain }: GuardOptions,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const addresses = isIP(host) === 0 ? await resolve(host, signal) : [host];
  const own = listOwnAddresses();
  const isHostOpened = allow.hasHost(host);
  for (const address of addresses) {
    if (isHostOpened || allow.hasAddress(address)) continue;
    // What listens on this machine may be open to this machine only, whichever of its addresses is used.
    if (!isPublicAddress(address) || own.has(normaliseAddress(address)))
      throw new AddressRefusedError('The host has an address that is not of the public internet.');
    if (!secure && plain !== true) throw new OutboundError('The connection is not encrypted; use https.');
  }
  if (addresses.length === 0) throw new OutboundError('The host name has no address.');
  return addresses;
}

async function connect(
  { secure, host, port }: Target,
  addresses: readonly string[],
  { ca }: GuardOptions,
  signal: AbortSignal,
): Promise<Socket> {
  const known = addresses.map((address) => ({ address, family: isIP(address) }));
  // Instead of another look-up, which could say something else by now.
  const lookup = ((_host, { all }, done) => {
    if (all) done(null, known);
    else done(null, known[0]!.address, known[0]!.family);
  }) as LookupFunction;
  const options = { host, port, lookup, autoSelectFamily: true };
  const socket = secure
    ? tlsConnect({
        ...options,
        ...(isIP(host) === 0 ? { servername: host } : {}),
        ...(ca === undefined ? {} : { ca: [...ca] }),
        ALPNProtocols: ['http/1.1'],
        rejectUnauthorized: true,
      })
    : netConnect(options);
  // Errors after this function belong to whoever has the socket then; none may end the process.
  socket.on('error', () => {});
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  socket.once(secure ? 'secureConnect' : 'connect', resolve);
  socket.once('error', reject);
  socket.once('close', () =>
    reject(new OutboundError('The connection was closed before there was an answer.')),
  );
  try {
    await beforeAbort(promise, signal);
    const peer = normaliseAddress(socket.remoteAddress ?? '');
    if (!addresses.some((address) => normaliseAddress(address) === peer))
      throw new OutboundError('The host has an address that is not of the public internet.');
  } catch (error) {
    socket.destroy();
    throw error;
  }
  return socket.setNoDelay(true);
}

function listOwnAddresses(): ReadonlySet<string | undefined> {
  const all = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  return new Set(all.map(({ address }) => normaliseAddress(address)));
}

function beforeAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  if (signal.aborted) reject(signal.reason);
  signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  return Promise.race([work, promise]);
}
