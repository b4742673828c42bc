/** A SOCKS5 server for tests: leads names to ports of this machine. */

import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

export type SocksServer = {
  port: number;
  /** What it was asked for, as `name:port`. */
  asked: string[];
  close(): Promise<void>;
};

const HOST_UNREACHABLE = 4;

/** @param routes ports of 127.0.0.1 by `name:port`; what is not there cannot be reached */
export async function startSocksServer({
  routes,
}: {
  routes: ReadonlyMap<string, number>;
}): Promise<SocksServer> {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const track = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  };
  const server = createServer((socket) => {
    track(socket);
    void serve(socket).catch(() => socket.destroy());
  });
  const serve = async (socket: Socket): Promise<void> => {
    const greeting = await readSome(socket);
    if (greeting[0] !== 5) throw new Error('no SOCKS5');
    socket.write(Uint8Array.of(5, 0));
    const request = await readSome(socket);
    if (request[1] !== 1 || request[3] !== 3) throw new Error('no connection to a name');
    const end = 5 + request[4]!;
    const target = `${request.toString('latin1', 5, end)}:${request.readUInt16BE(end)}`;
    asked.push(target);
    const port = routes.get(target);
    const reply = (status: number) => socket.write(Uint8Array.of(5, status, 0, 1, 0, 0, 0, 0, 0, 0));
    if (port === undefined) return void reply(HOST_UNREACHABLE);
    const upstream = connect({ host: '127.0.0.1', port });
    track(upstream);
    try {
      await once(upstream, 'connect');
    } catch {
      return void reply(HOST_UNREACHABLE);
    }
    reply(0);
    socket.pipe(upstream);
    upstream.pipe(socket);
    socket.on('close', () => upstream.destroy());
    upstream.on('close', () => socket.destroy());
  };
  const port = await listenOnLoopback(server);
  return {
    port,
    asked,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

async function readSome(socket: Socket): Promise<Buffer> {
  const [chunk] = (await once(socket, 'data')) as [Buffer];
  return chunk;
}

/** Lets a server listen on a free port of 127.0.0.1. */
export async function listenOnLoopback(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}
