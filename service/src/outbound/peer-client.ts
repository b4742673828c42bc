import { createAllowList } from './allow-list.ts';
import { hostOf } from './check-url.ts';
import { createOutboundClient, type OutboundLimits } from './outbound-client.ts';

export type PeerAnswer = { status: number; text: string };

/** Asks services that the operator named; nobody else chooses these URLs. */
export type PeerClient = {
  /** The text of a 200; throws for everything else. */
  fetchText(url: string): Promise<string>;
  /** Whatever is answered, as text. */
  get(url: string): Promise<PeerAnswer>;
  post(url: string, body: string): Promise<PeerAnswer>;
  /** Cuts off what is under way. */
  close(): void;
};

const LIMITS = { totalTimeoutMs: 10_000, maxBodyBytes: 65_536 };

/** Creates a client of these peers: what the operator named may be in a network of its own, and without encryption. */
export function createPeerClient(peers: readonly string[], more: Partial<OutboundLimits> = {}): PeerClient {
  const hosts = peers.map((peer) => hostOf(new URL(peer)));
  const client = createOutboundClient({ allow: createAllowList(hosts), limits: { ...LIMITS, ...more } });
  const get = async (url: string): Promise<PeerAnswer> => {
    const { status, body } = await client.get({ url, headers: { accept: 'application/json' } });
    return { status, text: body.toString('utf8') };
  };
  return {
    async fetchText(url) {
      const { status, text } = await get(url);
      if (status !== 200) throw new Error(`the peer answers ${status}`);
      return text;
    },
    get,
    async post(url, text) {
      const headers = { 'content-type': 'text/plain; charset=utf-8' };
      const { status, body } = await client.ask({ url, headers, body: Buffer.from(text, 'utf8') });
      return { status, text: body.toString('utf8') };
    },
    close: client.close,
  };
}
