/** Receivers of webhooks on real sockets, well-behaved and hostile. */

import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { TestCertificate } from './certificates.ts';

/** One request as it arrived. */
export type ReceivedRequest = {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
};

export type Receiver = {
  readonly port: number;
  readonly received: ReceivedRequest[];
  /** Connections that were accepted. */
  connections(): number;
  /** Resolves when so many requests have arrived. */
  waitForRequests(count: number): Promise<void>;
  /** Resolves when so many connections were accepted, and when all of them are closed. */
  waitForConnections(count: number): Promise<void>;
  waitForClosed(): Promise<void>;
  stop(): Promise<void>;
};

/** What a receiver does with a request. */
export type Answer = (response: ServerResponse, request: ReceivedRequest, number: number) => void;

const answerNothing: Answer = (response) => response.writeHead(204).end();

/** Starts an HTTP receiver on `host`; with a certificate it speaks HTTPS. */
export async function startReceiver(
  options: { answer?: Answer; certificate?: TestCertificate; host?: string } = {},
): Promise<Receiver> {
  const received: ReceivedRequest[] = [];
  const { answer = answerNothing, certificate } = options;
  const tell = createBell();
  const server = certificate
    ? createHttpsServer({ cert: certificate.cert, key: certificate.key })
    : createHttpServer();
  server.on('request', (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('error', () => {});
    response.on('error', () => {});
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const whole = { method, path: url, headers, body: Buffer.concat(chunks) };
      received.push(whole);
      answer(response, whole, received.length);
      tell.ring();
    });
  });
  return await listen(server, tell, received, options.host);
}

/** Starts a receiver that gets the bare connection; with a certificate after the TLS handshake. */
export async function startRawReceiver(
  serve: (socket: Socket) => unknown,
  options: { certificate?: TestCertificate; host?: string } = {},
): Promise<Receiver> {
  const { certificate } = options;
  const handle = (socket: Socket): void => {
    socket.on('error', () => {});
    serve(socket);
    // Who does not read does not notice the end either.
    if (!socket.isPaused()) socket.resume();
  };
  const server = certificate
    ? createTlsServer({ cert: certificate.cert, key: certificate.key }, handle)
    : createTcpServer(handle);
  return await listen(server, createBell(), [], options.host);
}

async function listen(
  server: Server,
  tell: Bell,
  received: ReceivedRequest[],
  host = '127.0.0.1',
): Promise<Receiver> {
  const open = new Set<Socket>();
  let connections = 0;
  server.on('connection', (socket: Socket) => {
    connections += 1;
    open.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => {
      open.delete(socket);
      tell.ring();
    });
    tell.ring();
  });
  server.on('tlsClientError', () => {});
  server.listen(0, host);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    received,
    connections: () => connections,
    waitForRequests: (count) => tell.waitFor(() => received.length >= count),
    waitForConnections: (count) => tell.waitFor(() => connections >= count),
    waitForClosed: () => tell.waitFor(() => open.size === 0),
    async stop() {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

type Bell = { ring(): void; waitFor(isMet: () => boolean): Promise<void> };

function createBell(): Bell {
  let waiting: { isMet: () => boolean; done: () => void }[] = [];
  return {
    ring() {
      const met = waiting.filter(({ isMet }) => isMet());
      waiting = waiting.filter((each) => !met.includes(each));
      for (const { done } of met) done();
    },
    async waitFor(isMet) {
      if (isMet()) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.push({ isMet, done: resolve });
      await promise;
    },
  };
}
