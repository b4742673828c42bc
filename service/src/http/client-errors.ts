/** Answers to what never becomes a request: malformed HTTP, headers that are too large, requests that are too slow. */

import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { AppError } from '../errors.ts';
import { writeError } from './problem.ts';
import type { TextErrors } from './text-errors.ts';

type ClientError = Error & { code?: string; rawPacket?: unknown };

/** Answers what is no request, and closes the connection. */
export function answerClientError(
  error: ClientError,
  socket: Socket,
  requestId: string,
  textErrors: TextErrors,
): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  const target = findUnderWay(socket)?.req.url ?? findTarget(error.rawPacket);
  answerOnSocket(socket, describe(error), requestId, textErrors.covers(target));
}

/** The answer that is under way on a connection. */
function findUnderWay(socket: Socket): ServerResponse | undefined {
  return (socket as Socket & { _httpMessage?: ServerResponse | null })._httpMessage ?? undefined;
}

/** What the request line names, where it is in the bytes that could not be read. */
function findTarget(packet: unknown): string | undefined {
  if (!Buffer.isBuffer(packet)) return undefined;
  return /^[A-Z]{3,7} ([^\s?]+)/.exec(packet.toString('latin1', 0, 1_024))?.[1];
}

/** Writes an error to the bare socket and closes it. */
export function answerOnSocket(socket: Socket, error: AppError, requestId: string, asText = false): void {
  // Behind the first bytes of another answer this one would be taken for a part of it.
  const under = findUnderWay(socket);
  if (!socket.writable || under?.headersSent === true) {
    socket.destroy();
    return;
  }
  const { contentType, body } = writeError(error, requestId, asText);
  const head = [
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`,
    `Content-Type: ${contentType}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'X-Content-Type-Options: nosniff',
    'Access-Control-Allow-Origin: *',
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

/**
 * Refuses a request of HTTP/1.1 that names no host, or more than one (RFC 9112, 3.2). Node would refuse the first
 * kind itself, without a body.
 *
 * @throws AppError `bad_request`
 */
export function checkHost({ httpVersion, rawHeaders }: IncomingMessage): void {
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  if (hosts === 1 || (hosts === 0 && httpVersion === '1.0')) return;
  throw new AppError('bad_request', `A request has one Host header; this one has ${hosts}.`);
}

/** Answers a request that is turned down before Fastify sees it. */
export function answerBare(
  response: ServerResponse,
  error: AppError,
  requestId: string,
  asText: boolean,
): void {
  const { contentType, body } = writeError(error, requestId, asText);
  const headers = {
    'content-type': contentType,
    'content-length': Buffer.byteLength(body),
    'x-content-type-options': 'nosniff',
    connection: 'close',
  };
  response.writeHead(error.status, headers).end(body);
}

function describe(error: ClientError): AppError {
  switch (error.code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new AppError('request_timeout', 'The request did not arrive whole in time.');
    case 'HPE_HEADER_OVERFLOW':
      return new AppError('headers_too_large', 'The request line and headers may have 16 KiB together.');
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new AppError('body_too_large', 'The chunk extensions of the body are too large.');
    default:
      return new AppError('bad_request', 'The request is not valid HTTP/1.1.');
  }
}
