import { createOutboundClient, type OutboundOptions } from './outbound-client.ts';
import { OutboundError } from './outbound-error.ts';

/** Asks the sources of rates that the operator named. */
export type RateClient = {
  /** The text of a 200. @throws OutboundError for everything else; a redirect is not followed */
  fetchText(url: string): Promise<string>;
  /** Cuts off what is under way. */
  close(): void;
};

const LIMITS = {
  totalTimeoutMs: 10_000,
  maxBodyBytes: 262_144,
  maxHeaderBytes: 16_384,
  maxWireBytes: 524_288,
};

/** Creates the client: certificates are verified, and what is not of the public internet has to be opened by the operator. */
export function createRateClient({ limits, ...options }: OutboundOptions, userAgent: string): RateClient {
  const client = createOutboundClient({ ...options, limits: { ...LIMITS, ...limits } });
  const headers = { accept: 'application/json', 'user-agent': userAgent };
  return {
    async fetchText(url) {
      const { status, body } = await client.get({ url, headers });
      if (status !== 200) throw new OutboundError(`The answer has status ${status}.`);
      return body.toString('utf8');
    },
    close: client.close,
  };
}
