import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type WebSocket, WebSocketServer } from 'ws';
import { createProxyCheck } from '../../../clients/client.ts';
import type { Listen } from '../../../config-values.ts';
import { electrumLimits } from '../electrum-limits.ts';
import { createFrameMeter } from './frame-meter.ts';
import { isBlank } from './line-reader.ts';
import { type BeginHandshake, boundHandshakes, describeListener } from './listen-lines.ts';
import type { BeginSession, Wire, WireListener } from './wire.ts';

export type WebSocketOptions = {
  /** With these, over TLS. */
  readonly files: { certFile: string; keyFile: string } | undefined;
  /** Addresses and networks of proxies whose `X-Forwarded-For` is believed. */
  readonly trustedProxies: readonly string[];
  /** `*`, or the origins whose pages may connect. */
  readonly origins: '*' | readonly string[];
};

/** Takes the connections of wallets over WebSocket: a message of a call is one of the socket's. */
export async function listenWebSocket(
  listen: Listen,
  options: WebSocketOptions,
  beginHandshake: BeginHandshake,
  begin: BeginSession,
): Promise<WireListener> {
  const { files, origins } = options;
  const isProxy = createProxyCheck(options.trustedProxies);
  const server = files
    ? createTlsServer(
        {
          cert: readFileSync(files.certFile),
          key: readFileSync(files.keyFile),
          handshakeTimeout: electrumLimits.handshakeMs,
        },
        refuseRequest,
      )
    : createServer(refuseRequest);
  server.headersTimeout = electrumLimits.handshakeMs;
  server.requestTimeout = electrumLimits.handshakeMs;
  server.maxConnections = electrumLimits.sessions.inAll;
  if (files) boundHandshakes(server, beginHandshake);
  const sockets = new WebSocketServer({
    server,
    maxPayload: electrumLimits.messageBytes,
    maxBufferedChunks: electrumLimits.messagePieces,
    maxFragments: electrumLimits.messagePieces,
    perMessageDeflate: false,
    clientTracking: false,
    verifyClient: ({ origin }: { origin?: string }) =>
      origins === '*' || origin === undefined || origins.includes(origin),
  });
  sockets.on('error', () => {});
  sockets.on('connection', (socket, request) => carry(socket, request, isProxy, begin));
  server.listen(listen.port, listen.host);
  await once(server, 'listening');
  return describeListener(server, files ? 'wss' : 'ws', listen.host);
}

function refuseRequest(_: IncomingMessage, response: ServerResponse): void {
  response.writeHead(426, { 'content-type': 'text/plain; charset=utf-8', upgrade: 'websocket' });
  response.end('This is the Electrum protocol over WebSocket: connect a wallet, not a browser.\n');
}

function carry(
  socket: WebSocket,
  request: IncomingMessage,
  isProxy: (address: string) => boolean,
  begin: BeginSession,
): void {
  const address = findClientAddress(request, isProxy);
  socket.on('error', () => socket.terminate());
  if (address === undefined) {
    socket.terminate();
    return;
  }
  const wire: Wire = {
    address,
    socket: request.socket,
    send(messages) {
      if (socket.readyState !== socket.OPEN) return;
      for (const message of messages) socket.send(message);
    },
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    end: () => socket.close(),
  };
  const session = begin(wire);
  if (session === undefined) return;
  socket.on('message', (data) => {
    // `nodebuffer`, which is how they come unless something else is asked for.
    const bytes = data as Buffer;
    if (isBlank(bytes)) session.skip(1, bytes.length);
    else session.take(bytes.toString('utf8'));
  });
  const skipFrame = (): void => session.skip(1, 0);
  socket.on('ping', skipFrame);
  socket.on('pong', skipFrame);
  const meter = createFrameMeter();
  // Behind the listener of `ws`, which has handed over by then each message that is whole.
  request.socket.on('data', (chunk: Buffer) => {
    if (socket.readyState !== socket.OPEN) return;
    meter.pass(chunk);
    session.hold(meter.held);
  });
  request.socket.on('drain', session.drained);
  socket.once('close', session.closed);
}

/** The last address that no trusted proxy has; undefined where the connection is gone already. */
function findClientAddress(
  { headers, socket }: IncomingMessage,
  isProxy: (address: string) => boolean,
): string | undefined {
  const { remoteAddress } = socket;
  if (remoteAddress === undefined || !isProxy(remoteAddress)) return remoteAddress;
  const forwarded = String(headers['x-forwarded-for'] ?? '').split(',');
  const known = [...forwarded.map((each) => each.trim()).filter((each) => each !== ''), remoteAddress];
  return known.findLast((each) => !isProxy(each)) ?? remoteAddress;
}
