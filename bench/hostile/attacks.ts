import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';

export type Protocol = 'http' | 'electrum';

/** What one hostile client does to the service, by itself and without end. */
export type Attack = {
  name: string;
  protocol: Protocol;
  /** The bytes that a connection sends; pipelined ones follow each other without waiting for answers. */
  bytes: Buffer;
  connections: number;
  /** Requests that are sent before the first answer is read. */
  pipelined: number;
  /** Whether answers are read. */
  reads: boolean;
  /** Whether each hash of {@link ANY_HASH} is another one each time. */
  isFresh?: boolean;
  /** Whether a connection ends after the first bytes, so that another one begins. */
  ends?: boolean;
};

/** What a client got. */
export type Received = { answers: number; bytes: number; connections: number };

/** Stands for a hash that nobody has sent before. */
export const ANY_HASH = 'f'.repeat(64);

const PAUSE_MS = 20;
/** Each answer has one: it begins with its status over HTTP, and is a line over Electrum. */
const ANSWER_MARKS: Record<Protocol, string> = { http: 'HTTP/1.1 ', electrum: '\n' };

/** A request as its bytes. */
export function requestBytes(method: string, path: string, body = ''): Buffer {
  const type = body === '' ? '' : 'Content-Type: application/json\r\n';
  return Buffer.from(
    `${method} ${path} HTTP/1.1\r\nHost: a\r\n${type}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

/** Attacks from one address until it is stopped; connections that are closed are opened anew. */
export function runAttack(
  port: number,
  localAddress: string,
  attack: Attack,
): { received: Readonly<Received>; stop(): void } {
  const { protocol, bytes, isFresh = false, ends = false } = attack;
  const open = new Set<Socket>();
  const received: Received = { answers: 0, bytes: 0, connections: 0 };
  let isStopped = false;
  const dial = (): void => {
    if (isStopped) return;
    const socket = connect({ port, host: '127.0.0.1', localAddress });
    open.add(socket);
    let unanswered = 0;
    const send = (): void => {
      while (socket.writable && unanswered < attack.pipelined && socket.writableLength < 1_000_000) {
        const sent = isFresh ? withFreshHashes(bytes) : bytes;
        unanswered += 1;
        if (ends) socket.end(sent);
        else socket.write(sent);
      }
    };
    socket.on('connect', () => {
      received.connections += 1;
      send();
    });
    socket.on('drain', send);
    if (attack.reads) {
      socket.on('data', (chunk: Buffer) => {
        const marks = chunk.toString('latin1').split(ANSWER_MARKS[protocol]).length - 1;
        received.answers += marks;
        received.bytes += chunk.length;
        // Over HTTP a mark may be cut in two; an answer that is counted twice only sends one request more.
        unanswered = Math.max(0, unanswered - (protocol === 'http' ? Math.max(1, marks) : marks));
        send();
      });
    } else {
      socket.pause();
    }
    socket.on('error', () => undefined);
    socket.on('close', () => {
      open.delete(socket);
      setTimeout(dial, PAUSE_MS);
    });
  };
  for (let i = 0; i < attack.connections; i++) dial();
  return {
    received,
    stop() {
      isStopped = true;
      for (const socket of open) socket.destroy();
    },
  };
}

function withFreshHashes(bytes: Buffer): Buffer {
  return Buffer.from(
    bytes.toString('latin1').replaceAll(ANY_HASH, () => randomBytes(32).toString('hex')),
    'latin1',
  );
}
