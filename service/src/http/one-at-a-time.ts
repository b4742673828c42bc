/**
 * One request at a time on each connection: what a client sends behind it waits as bytes, unparsed, and the connection is
 * not read any further. Node parses and starts all that has come at once, a thousand requests from one packet.
 *
 * The bytes are only held, never changed, so whatever is thought here of where a request ends, the parser says what it is.
 */

import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type BodyTurns, createBodyTurns } from './body-turns.ts';

/** Ends the head of a request. */
const headEnd = Buffer.from('\r\n\r\n');
/** Bytes that are parsed together where the length of a body is not known before. */
const chunkedSlice = 2_048;

/** Holds back what comes behind a request on the connections of a server. */
export function serveOneAtATime(server: Server): void {
  const gates = new WeakMap<Socket, (request: IncomingMessage, response: ServerResponse) => void>();
  const turns = createBodyTurns();
  const note = (request: IncomingMessage, response: ServerResponse): void => {
    gates.get(request.socket)?.(request, response);
  };
  server.on('request', note);
  server.on('checkExpectation', note);
  // Where there is TLS, requests come on what is inside of it.
  const event = server.listenerCount('secureConnection') > 0 ? 'secureConnection' : 'connection';
  server.on(event, (socket: Socket) => {
    // A listener of ours makes Node's own give up reading past the stream.
    socket.on('data', () => undefined);
    gates.set(socket, createGate(socket, turns));
  });
}

/** Stands between a connection and its parser; gives what is to be told of each request that was parsed. */
function createGate(
  socket: Socket,
  turns: BodyTurns,
): (request: IncomingMessage, response: ServerResponse) => void {
  const pass = socket.push.bind(socket);
  const read = socket._read.bind(socket);
  /** What has come and is not passed on. */
  let held: Buffer | undefined;
  let hasEnded = false;
  let wantsMore = false;
  let isWaiting = false;
  let waitsForTurn = false;
  let isPumping = false;
  /** The request that is being read or answered. */
  let present: IncomingMessage | undefined;
  let isAnswered = true;
  /** Bytes of its body that are yet to come; undefined where it comes in chunks. */
  let bodyLeft: number | undefined = 0;
  /** The last bytes that were passed of an unfinished head. */
  let tail: Buffer = headEnd.subarray(0, 0);

  /** How much of `bytes` may be parsed now; 0 for none. */
  function findAllowed(bytes: Buffer): number {
    if (present !== undefined) {
      if (bodyLeft === undefined) return present.complete ? 0 : Math.min(bytes.length, chunkedSlice);
      return Math.min(bytes.length, bodyLeft);
    }
    // The end of a head may be cut in two by the network.
    const joined = tail.length === 0 ? bytes : Buffer.concat([tail, bytes.subarray(0, headEnd.length - 1)]);
    const across = tail.length === 0 ? -1 : joined.indexOf(headEnd);
    if (across >= 0) return across + headEnd.length - tail.length;
    const at = bytes.indexOf(headEnd);
    return at < 0 ? bytes.length : at + headEnd.length;
  }

  function passOn(bytes: Buffer): boolean {
    if (present === undefined) {
      const last = bytes.length < headEnd.length ? Buffer.concat([tail, bytes]) : bytes;
      const kept = last.subarray(-(headEnd.length - 1));
      tail = last.subarray(-headEnd.length).equals(headEnd) ? kept.subarray(0, 0) : Buffer.from(kept);
    } else if (bodyLeft !== undefined) {
      bodyLeft -= bytes.length;
    }
    return pass(bytes);
  }

  function hasBody(request: IncomingMessage): boolean {
    return bodyLeft === undefined ? request.complete : bodyLeft === 0;
  }

  function finishRequest(): void {
    if (present !== undefined && isAnswered && hasBody(present)) present = undefined;
  }

  /** Passes on what may be parsed now. Gives whether the connection is to be read further. */
  function pump(): boolean {
    if (isPumping) return false;
    isPumping = true;
    let isReady = true;
    while (held !== undefined && !socket.destroyed) {
      finishRequest();
      if (socket.readableFlowing === false) {
        waitForResume();
        break;
      }
      const allowed = findAllowed(held);
      if (allowed === 0) break;
      if (present !== undefined && !turns.take(allowed)) {
        waitForTurn();
        break;
      }
      const bytes: Buffer = held;
      held = allowed === bytes.length ? undefined : bytes.subarray(allowed);
      isReady = passOn(bytes.subarray(0, allowed));
    }
    isPumping = false;
    if (held !== undefined) return false;
    if (hasEnded) {
      // Node ends a connection with its other half: the last of several requests is answered first.
      if (present !== undefined && hasBody(present)) return false;
      hasEnded = false;
      pass(null);
      socket.read(0);
    } else if (wantsMore) {
      wantsMore = false;
      read(0);
    }
    return isReady;
  }

  function waitForTurn(): void {
    if (waitsForTurn) return;
    waitsForTurn = true;
    turns.wait(() => {
      waitsForTurn = false;
      pump();
    });
  }

  function waitForResume(): void {
    if (isWaiting) return;
    isWaiting = true;
    socket.once('resume', () => {
      isWaiting = false;
      setImmediate(pump);
    });
  }

  socket.push = (chunk: Buffer | null): boolean => {
    if (chunk === null) {
      if (held === undefined) return pass(null);
      hasEnded = true;
      return false;
    }
    held = held === undefined ? chunk : Buffer.concat([held, chunk]);
    return pump();
  };
  socket._read = (size: number): void => {
    if (held === undefined) read(size);
    else wantsMore = true;
  };

  return (request, response) => {
    present = request;
    isAnswered = false;
    const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
    bodyLeft = encoding !== undefined ? undefined : Number(length ?? 0);
    tail = tail.subarray(0, 0);
    response.once('close', () => {
      if (present === request) isAnswered = true;
      finishRequest();
      pump();
    });
  };
}
