/** How many connections a client may hold at once: one that opens all that there are would keep everybody else out. */

import type { Server, Socket } from 'node:net';
import { type Client, type CountedNetwork, parseClient } from '../clients/client.ts';
import { createNetworkCount } from './network-count.ts';

/** Connections that are held open at once: by a client, and in all. */
export const maxConnections = { ofClient: 200, inAll: 10_000 } as const;

/**
 * Closes what a client opens beyond its share. Those of trusted proxies are of many clients, and are not counted.
 *
 * @param onRefused is told whose share was used up
 */
export function boundConnections(
  server: Server,
  isProxy: (address: string) => boolean,
  onRefused: (client: Client, full: CountedNetwork) => void,
): void {
  const open = createNetworkCount();
  server.on('connection', (socket: Socket) => {
    const { remoteAddress } = socket;
    // Gone already.
    if (remoteAddress === undefined || isProxy(remoteAddress)) return;
    const client = parseClient(remoteAddress);
    const { networks } = client;
    const full = open.findFull(networks, maxConnections);
    if (full !== undefined) {
      onRefused(client, full);
      socket.destroy();
      return;
    }
    open.add(networks, 1);
    socket.once('close', () => open.add(networks, -1));
  });
}
