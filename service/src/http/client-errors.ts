/** Answers to what never becomes a request: malformed HTTP, headers that are too large, requests that are too slow. */

import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { AppError } from '../errors.ts';
import { buildProblem, problemContentType } from './problem.ts';

type ClientError = Error & { code?: string };

/** Writes a problem document to the bare socket and closes it. */
export function answerClientError(error: ClientError, socket: Socket, requestId: string): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const problem = buildProblem(describe(error), requestId);
  const body = JSON.stringify(problem);
  const head = [
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`,
    `Content-Type: ${problemContentType}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'X-Content-Type-Options: nosniff',
    'Access-Control-Allow-Origin: *',
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

/** Answers a request that is turned down before Fastify sees it. */
export function answerBare(response: ServerResponse, error: AppError, requestId: string): void {
  const body = JSON.stringify(buildProblem(error, requestId));
  const headers = {
    'content-type': problemContentType,
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
