/** Connections by a SOCKS5 proxy (RFC 1928) that the operator runs, such as Tor's. The proxy looks names up, nobody else does. */

import { connect, type Socket } from 'node:net';
import { OutboundError } from './outbound-error.ts';

/** Where the proxy listens. */
export type SocksProxy = { host: string; port: number };

/** The proxy itself is at fault: it is not there, or does not speak its protocol. Says nothing of who was to be reached. */
export class ProxyError extends OutboundError {}

const VERSION = 5;
const NO_AUTHENTICATION = 0;
const CONNECT = 1;
const SUCCEEDED = 0;
const NOT_ALLOWED = 2;
/** Kinds of addresses, and the bytes that each has; a name has its length before it. */
const IPV4 = { kind: 1, bytes: 4 };
const NAME = 3;
const IPV6 = { kind: 4, bytes: 16 };
const PORT_BYTES = 2;
const MAX_NAME_BYTES = 255;

/**
 * Opens a connection to a name by the proxy.
 *
 * @param target a name of ASCII, at most 255 characters, which is handed to the proxy as it is
 * @param greetingMs for the proxy to answer at all; one that does not is at fault
 * @param signal ends the attempt; its reason is thrown then
 * @throws ProxyError when the proxy is at fault, OutboundError when it cannot reach the name
 */
export async function connectBySocks(
  proxy: SocksProxy,
  { name, port }: { name: string; port: number },
  greetingMs: number,
  signal: AbortSignal,
): Promise<Socket> {
  if (name.length === 0 || name.length > MAX_NAME_BYTES || !/^[\x21-\x7e]+$/.test(name))
    throw new OutboundError('The host name cannot be sent to a proxy.');
  signal.throwIfAborted();
  const socket = connect({ ...proxy });
  // Errors after this function belong to whoever has the socket then; none may end the process.
  socket.on('error', () => {});
  const onAbort = () => socket.destroy();
  signal.addEventListener('abort', onAbort, { once: true });
  const reader = readExactly(socket);
  const timer = setTimeout(() => socket.destroy(), greetingMs);
  try {
    socket.write(Uint8Array.of(VERSION, 1, NO_AUTHENTICATION));
    const [version, method] = await reader.read(2);
    clearTimeout(timer);
    if (version !== VERSION) throw new ProxyError('The proxy does not speak SOCKS5.');
    if (method !== NO_AUTHENTICATION) throw new ProxyError('The proxy asks for a password.');
    const host = Buffer.from(name, 'latin1');
    const head = Buffer.from([VERSION, CONNECT, 0, NAME, host.length]);
    const tail = Buffer.alloc(PORT_BYTES);
    tail.writeUInt16BE(port);
    socket.write(Buffer.concat([head, host, tail]));
    await readReply(reader);
    reader.end();
    return socket.setNoDelay(true);
  } catch (error) {
    socket.destroy();
    throw signal.aborted ? signal.reason : error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}

type ExactReader = { read(bytes: number): Promise<Buffer>; end(): void };

async function readReply(reader: ExactReader): Promise<void> {
  const [version, status, , kind] = await reader.read(4);
  if (version !== VERSION) throw new ProxyError('The proxy does not speak SOCKS5.');
  if (status === NOT_ALLOWED) throw new ProxyError('The proxy does not allow the connection.');
  if (status !== SUCCEEDED) throw new OutboundError('The host cannot be reached.');
  const bytes =
    kind === IPV4.kind ? IPV4.bytes : kind === IPV6.kind ? IPV6.bytes : kind === NAME ? undefined : 0;
  if (bytes === 0) throw new ProxyError('The proxy does not speak SOCKS5.');
  await reader.read((bytes ?? (await reader.read(1))[0]!) + PORT_BYTES);
}

/** Takes from a socket no more bytes than are asked for: those behind the proxy's answers are the host's. */
function readExactly(socket: Socket): ExactReader {
  let waiting: { bytes: number; resolve(taken: Buffer): void; reject(error: unknown): void } | undefined;
  let failure: Error | undefined;
  const serve = () => {
    if (waiting === undefined) return;
    const taken = socket.read(waiting.bytes) as Buffer | null;
    if (taken !== null && taken.length === waiting.bytes) waiting.resolve(taken);
    else if (failure !== undefined) waiting.reject(failure);
    else return;
    waiting = undefined;
  };
  const fail = (error?: Error) => {
    failure ??= new ProxyError('The proxy cannot be reached, or closed the connection.', { cause: error });
    serve();
  };
  const onEnd = () => fail();
  const onClose = () => fail();
  socket.on('readable', serve).on('error', fail).on('end', onEnd).on('close', onClose);
  return {
    read(bytes) {
      const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
      waiting = { bytes, resolve, reject };
      serve();
      return promise;
    },
    end() {
      socket.off('readable', serve).off('error', fail).off('end', onEnd).off('close', onClose);
    },
  };
}
