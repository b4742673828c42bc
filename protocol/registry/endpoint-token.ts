import { bytesToHex } from '../bytes.ts';
import { sha256 } from '../hash.ts';

const TOKEN_BYTES = 16;
const TOKEN = /^nodeproof-[0-9a-f]{32}$/;
/** Longer ones nodes do not send. */
const MAX_USER_AGENT = 256;

/** What an endpoint's token is made of; hex, but for the address. */
export type TokenOwner = {
  registryKey: string;
  genesisHash: string;
  nodeKey: string;
  payoutAddress: string;
};

/**
 * The text by which whoever runs a node shows that it belongs to a registration: in a comment of its user agent
 * (`-uacomment=`). It is no secret, since nobody else can make the node say it; and it is the same for every renewal.
 */
export function endpointTokenOf({ registryKey, genesisHash, nodeKey, payoutAddress }: TokenOwner): string {
  const text = ['node registry endpoint, version 1', registryKey, genesisHash, nodeKey, payoutAddress].join(
    '\n',
  );
  return `nodeproof-${bytesToHex(sha256(new TextEncoder().encode(text)).subarray(0, TOKEN_BYTES))}`;
}

/** The tokens in a user agent (BIP-14), as comments of it or words of one; a few at most. */
export function findEndpointTokens(userAgent: string): string[] {
  return userAgent
    .slice(0, MAX_USER_AGENT)
    .split(/[^a-z0-9-]+/)
    .filter((word) => TOKEN.test(word));
}
