/** What a claim binds: everything that its two signatures must not be carried over to. */
export type NodeClaim = {
  /** Host, with the port if there is one, of the service that asks. */
  domain: string;
  /** Ed25519 public key of the registry, hex. */
  registryKey: string;
  /** Display hex of the genesis block. */
  genesisHash: string;
  /** Ed25519 public key of the node, hex. */
  nodeKey: string;
  /** `ip:port`, `[ipv6]:port`, `host:port` or `<onion address>:port`. */
  endpoint: string;
  /** The address that signs, and that rewards would go to. */
  payoutAddress: string;
  /** 32 random bytes in hex. */
  nonce: string;
  /** Unix milliseconds, whole seconds. */
  issuedAtMs: number;
  expiresAtMs: number;
};

/**
 * The text that both keys sign to register a node (docs/protocols/registry.md). A wallet makes it anew from what it shows
 * its owner and compares, before it signs.
 */
export function writeClaimText(claim: NodeClaim): string {
  return [
    `${claim.domain} asks the owner of a node to confirm its registration.`,
    'Signing this text moves no coins.',
    '',
    'Purpose: node registry claim, version 1',
    `Domain: ${claim.domain}`,
    `Registry: ${claim.registryKey}`,
    `Network: ${claim.genesisHash}`,
    `Node key: ${claim.nodeKey}`,
    `Endpoint: ${claim.endpoint}`,
    `Payout address: ${claim.payoutAddress}`,
    `Nonce: ${claim.nonce}`,
    `Issued: ${writeSeconds(claim.issuedAtMs)}`,
    `Expires: ${writeSeconds(claim.expiresAtMs)}`,
  ].join('\n');
}

function writeSeconds(ms: number): string {
  return new Date(ms).toISOString().replace('.000Z', 'Z');
}
