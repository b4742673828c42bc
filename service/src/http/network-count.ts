import type { CountedNetwork } from '../clients/client.ts';

/** How many there are of something, by client and by the networks around it. */
export type NetworkCount = {
  /** One more, or with -1 one less. */
  add(client: readonly CountedNetwork[], change: 1 | -1): void;
  /** The network that has no room for one more: no network around a client has more than half of all. */
  findFull(
    client: readonly CountedNetwork[],
    limits: { ofClient: number; inAll: number },
  ): CountedNetwork | undefined;
};

/** Creates a count of nothing; it takes as much memory as what is counted. */
export function createNetworkCount(): NetworkCount {
  const counts = new Map<string, number>();
  return {
    add(client, change) {
      for (const { name } of client) {
        const after = (counts.get(name) ?? 0) + change;
        if (after === 0) counts.delete(name);
        else counts.set(name, after);
      }
    },
    findFull(client, { ofClient, inAll }) {
      return client.find(({ name, share }) => {
        const most = share === 1 ? ofClient : Math.min(ofClient * share, inAll / 2);
        return (counts.get(name) ?? 0) >= most;
      });
    },
  };
}
