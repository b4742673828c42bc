import { connect, type Socket } from 'node:net';

/** What one hostile client does to the service, by itself and without end. */
export type Attack = {
  name: string;
  /** The bytes that a connection sends; pipelined ones follow each other without waiting for answers. */
  bytes: Buffer;
  connections: number;
  /** Requests that are sent before the first answer is read. */
  pipelined: number;
  /** Whether answers are read. */
  reads: boolean;
};

const PAUSE_MS = 20;

/** A request as its bytes. */
export function requestBytes(method: string, path: string, body = ''): Buffer {
  const type = body === '' ? '' : 'Content-Type: application/json\r\n';
  return Buffer.from(
    `${method} ${path} HTTP/1.1\r\nHost: a\r\n${type}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

/** Attacks from one address until it is stopped; connections that are closed are opened anew. */
export function runAttack(port: number, localAddress: string, attack: Attack): { stop(): void } {
  const open = new Set<Socket>();
  let isStopped = false;
  const dial = (): void => {
    if (isStopped) return;
    const socket = connect({ port, host: '127.0.0.1', localAddress });
    open.add(socket);
    let unanswered = 0;
    const send = (): void => {
      while (!socket.destroyed && unanswered < attack.pipelined && socket.writableLength < 1_000_000) {
        socket.write(attack.bytes);
        unanswered += 1;
      }
    };
    socket.on('connect', send);
    socket.on('drain', send);
    if (attack.reads) {
      socket.on('data', (chunk: Buffer) => {
        // An answer begins with its status; one that is counted twice only sends one request more.
        unanswered = Math.max(
          0,
          unanswered - Math.max(1, chunk.toString('latin1').split('HTTP/1.1 ').length - 1),
        );
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
    stop() {
      isStopped = true;
      for (const socket of open) socket.destroy();
    },
  };
}
