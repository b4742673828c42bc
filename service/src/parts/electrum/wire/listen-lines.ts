import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { Listen } from '../../../config-values.ts';
import { electrumLimits } from '../electrum-limits.ts';
import { carryLines } from './line-wire.ts';
import { createReadTurns } from './read-turns.ts';
import type { BeginSession, WireListener } from './wire.ts';

/** Takes the connections of wallets over TCP. */
export async function listenTcp(listen: Listen, begin: BeginSession): Promise<WireListener> {
  const readInTurn = createReadTurns();
  return await open(
    createServer({ allowHalfOpen: true }, (socket) => carryLines(socket, begin, readInTurn)),
    listen,
    'tcp',
  );
}

/** Whether somebody may begin a handshake; gives what ends it. */
export type BeginHandshake = (socket: Socket) => (() => void) | undefined;

/** The same over TLS. A handshake costs more than what most sessions ask for: who may begin one is asked first. */
export async function listenTls(
  listen: Listen,
  files: { certFile: string; keyFile: string },
  beginHandshake: BeginHandshake,
  begin: BeginSession,
): Promise<WireListener> {
  const readInTurn = createReadTurns();
  const server = createTlsServer(
    {
      cert: readFileSync(files.certFile),
      key: readFileSync(files.keyFile),
      handshakeTimeout: electrumLimits.handshakeMs,
      allowHalfOpen: true,
    },
    (socket) => carryLines(socket, begin, readInTurn),
  );
  server.on('tlsClientError', (_, socket) => socket.destroy());
  boundHandshakes(server, beginHandshake);
  return await open(server, listen, 'tls');
}

/** Has each connection ask before its handshake. It ends with the session's begin, or with the connection. */
export function boundHandshakes(server: Server, beginHandshake: BeginHandshake): void {
  const ends = new Map<string, () => void>();
  const nameOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;
  server.prependListener('connection', (socket: Socket) => {
    const name = nameOf(socket);
    const end = beginHandshake(socket);
    if (end === undefined) {
      socket.destroy();
      return;
    }
    const finish = (): void => {
      ends.delete(name);
      end();
    };
    ends.set(name, finish);
    socket.once('close', () => ends.get(name)?.());
  });
  server.on('secureConnection', (socket: Socket) => ends.get(nameOf(socket))?.());
}

async function open(server: Server, listen: Listen, scheme: string): Promise<WireListener> {
  server.maxConnections = electrumLimits.sessions.inAll;
  server.listen(listen.port, listen.host);
  await once(server, 'listening');
  return describeListener(server, scheme, listen.host);
}

/** A listener that listens. */
export function describeListener(server: Server, scheme: string, host: string): WireListener {
  const { port } = server.address() as AddressInfo;
  return {
    address: `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`,
    port,
    close: async () => void server.close(),
  };
}
