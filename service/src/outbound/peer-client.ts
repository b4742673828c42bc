import { createAllowList } from './allow-list.ts';
import { hostOf } from './check-url.ts';
import { createOutboundClient } from './outbound-client.ts';

/** Asks services that the operator named; nobody else chooses these URLs. */
export type PeerClient = {
  /** The text of a 200; throws for everything else. */
  fetchText(url: string): Promise<string>;
  /** Cuts off what is under way. */
  close(): void;
};

const LIMITS = { totalTimeoutMs: 10_000, maxBodyBytes: 65_536 };

/** Creates a client of these peers: what the operator named may be in a network of its own, and without encryption. */
export function createPeerClient(peers: readonly string[]): PeerClient {
  const hosts = peers.map((peer) => hostOf(new URL(peer)));
  const client = createOutboundClient({ allow: createAllowList(hosts), limits: LIMITS });
  return {
    async fetchText(url) {
      const headers = { accept: 'application/json' };
      const { status, body } = await client.get({ url, headers });
      if (status !== 200) throw new Error(`the peer answers ${status}`);
      return body.toString('utf8');
    },
    close: client.close,
  };
}
