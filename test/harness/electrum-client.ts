import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { connect as connectTls } from 'node:tls';

/** An answer, or what a server tells by itself. */
// biome-ignore lint/suspicious/noExplicitAny: tests read answers of many shapes, and a wrong field fails their expectation
export type ElectrumMessage = any;

/** A client of the Electrum protocol that does nothing by itself: one line a message. */
export type ElectrumClient = {
  readonly socket: Socket;
  /** What came that was asked for by nobody, in order. */
  readonly told: ElectrumMessage[];
  /** Calls, and gives the result. @throws Error with code and message of an error */
  call(method: string, ...params: unknown[]): Promise<ElectrumMessage>;
  /** Calls, and gives the whole answer. */
  ask(method: string, params: unknown): Promise<ElectrumMessage>;
  /** Sends a line as it is, and gives the next message that answers no call. */
  exchange(line: string): Promise<ElectrumMessage>;
  send(text: string): void;
  /** Resolves when the server has ended the connection. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
};

/** Connects to a server on this machine. */
export async function connectElectrum(port: number, { ca }: { ca?: string } = {}): Promise<ElectrumClient> {
  const socket =
    ca === undefined
      ? connect({ port, host: '127.0.0.1' })
      : connectTls({ port, host: '127.0.0.1', ca, servername: 'localhost' });
  await once(socket, ca === undefined ? 'connect' : 'secureConnect');
  const waiting = new Map<number, (message: ElectrumMessage) => void>();
  const told: ElectrumMessage[] = [];
  let onTold: ((message: ElectrumMessage) => void) | undefined;
  let lastId = 0;
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.on('error', () => {});
  createInterface({ input: socket }).on('line', (line) => {
    const message = JSON.parse(line);
    const resolve = waiting.get(message.id);
    waiting.delete(message.id);
    if (resolve) resolve(message);
    else if (onTold) {
      onTold(message);
      onTold = undefined;
    } else told.push(message);
  });
  const ask = (method: string, params: unknown): Promise<ElectrumMessage> => {
    const id = ++lastId;
    const { promise, resolve } = Promise.withResolvers<ElectrumMessage>();
    waiting.set(id, resolve);
    socket.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    return Promise.race([
      promise,
      closed.then(() => {
        throw new Error('the server has closed the connection');
      }),
    ]);
  };
  return {
    socket,
    told,
    closed,
    ask,
    async call(method, ...params) {
      const { result, error } = await ask(method, params);
      if (error) throw new Error(`${error.code} ${error.message}`);
      return result;
    },
    exchange(line) {
      const { promise, resolve } = Promise.withResolvers<ElectrumMessage>();
      onTold = resolve;
      socket.write(`${line}\n`);
      return promise;
    },
    send: (text) => void socket.write(text),
    async close() {
      socket.destroy();
      await closed;
    },
  };
}
