import { createSocket } from 'node:dgram';
import { isIP } from 'node:net';

/** Any port: nothing is sent there. */
const PORT = 9;

/**
 * Whether this machine knows a way to an address. Only its own tables are asked: to connect a datagram socket looks the way
 * up and sends nothing, so that nobody outside can pretend that there is none.
 */
export function hasRoute(address: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = createSocket(isIP(address) === 6 ? 'udp6' : 'udp4');
  const end = (isThere: boolean) => {
    resolve(isThere);
    socket.close();
  };
  socket.once('error', () => end(false));
  socket.once('connect', () => end(true));
  socket.connect(PORT, address);
  return promise;
}
