import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** What a proxy does to the connections through it. */
export type ProxyMode = {
  /** Bytes of the target are passed on this much later, in order. */
  readonly delayMs?: number;
  /**
   * `cut`: connections are ended, and new ones at once. `reset`: the same, and both ends get a reset. `held`: they stay open and
   * nothing passes.
   */
  readonly state?: 'open' | 'cut' | 'reset' | 'held';
  /** What becomes of each piece of an answer. */
  readonly garble?: (bytes: Buffer) => Buffer;
};

/** A TCP proxy on loopback, for what can happen to a connection between two programs that are well. */
export type TcpProxy = {
  /** The URL with the proxy's port in place of its own. */
  through(url: string): string;
  /** From now on; bytes under way in held connections are passed on when they are open again. */
  set(mode: ProxyMode): void;
  /** Cuts all connections and leads new ones to the host and port of another URL. */
  aim(url: string): void;
  /** Resolves when a request with this text has been passed to the target. */
  waitForRequest(text: string): Promise<void>;
  stop(): Promise<void>;
};

/** Starts a proxy to the host and port of `url`; `onRequestBytes` sees all that goes there. */
export async function startProxy(
  url: string,
  onRequestBytes: (bytes: Buffer) => void = () => {},
): Promise<TcpProxy> {
  let target = new URL(url);
  let mode: ProxyMode = {};
  const sockets = new Set<Socket>();
  /** What waits for the connections to be open again. */
  let held: Array<() => void> = [];
  let watchers: Array<{ text: string; seen: () => void }> = [];

  const end = (socket: Socket): void => {
    if (mode.state === 'reset') socket.resetAndDestroy();
    else socket.destroy();
  };
  const pass = (deliver: () => void): void => {
    if (mode.state === 'held') held.push(deliver);
    else deliver();
  };
  const link = (from: Socket, to: Socket, onBytes: (bytes: Buffer) => void): void => {
    sockets.add(from);
    from.on('data', onBytes);
    from.on('error', () => to.destroy());
    from.on('close', () => {
      sockets.delete(from);
      to.destroy();
    });
  };

  const server = createServer((client) => {
    if (mode.state === 'cut' || mode.state === 'reset') {
      end(client);
      return;
    }
    const node = connect(Number(target.port), target.hostname);
    link(client, node, (bytes) => {
      pass(() => {
        node.write(bytes);
        onRequestBytes(bytes);
        const found = watchers.filter(({ text }) => bytes.includes(text));
        watchers = watchers.filter((watcher) => !found.includes(watcher));
        for (const { seen } of found) seen();
      });
    });
    link(node, client, (bytes) => {
      const { delayMs = 0, garble } = mode;
      const answer = garble ? garble(bytes) : bytes;
      const deliver = () => pass(() => client.write(answer));
      if (delayMs > 0) setTimeout(deliver, delayMs);
      else deliver();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('A TCP server has no port.');

  const cutAll = (): void => {
    held = [];
    for (const socket of sockets) end(socket);
  };
  return {
    through(original) {
      const changed = new URL(original);
      changed.port = String(address.port);
      return changed.href.replace(/\/$/, '');
    },
    set(next) {
      mode = next;
      if (mode.state === 'cut' || mode.state === 'reset') cutAll();
      if (mode.state === 'held') return;
      for (const deliver of held.splice(0)) deliver();
    },
    aim(other) {
      target = new URL(other);
      cutAll();
    },
    waitForRequest: (text) =>
      new Promise((resolve) => {
        watchers.push({ text, seen: resolve });
      }),
    async stop() {
      cutAll();
      server.close();
      await once(server, 'close');
    },
  };
}
