/** What the text binds: everything that a signature must not be carried over to. */
export type MetadataClaim = {
  /** Host, with the port if there is one, of the service that asks. */
  domain: string;
  /** Display hex of the genesis block. */
  genesisHash: string;
  /** Hex of the token's id. */
  tokenId: string;
  /** The address of the token's issuer, who signs. */
  issuer: string;
  /** SHA-256, in hex, of the metadata as RFC 8785 writes them. */
  metadataSha256: string;
  /** SHA-256, in hex, of the logo's file; undefined for none. */
  logoSha256: string | undefined;
  /** 32 random bytes in hex. */
  nonce: string;
  /** Unix milliseconds, whole seconds. */
  issuedAtMs: number;
  expiresAtMs: number;
};

/**
 * The text that a token's issuer signs to publish a description of it (docs/protocols/token-metadata.md). A wallet makes
 * it anew from what it shows its owner and compares, before it signs.
 */
export function writeMetadataMessage(claim: MetadataClaim): string {
  return [
    `${claim.domain} asks the issuer of a token to confirm its public description.`,
    'Signing this text moves no coins.',
    '',
    'Purpose: token metadata, version 1',
    `Domain: ${claim.domain}`,
    `Network: ${claim.genesisHash}`,
    `Token: ${claim.tokenId}`,
    `Issuer: ${claim.issuer}`,
    `Metadata SHA-256: ${claim.metadataSha256}`,
    `Logo SHA-256: ${claim.logoSha256 ?? 'none'}`,
    `Nonce: ${claim.nonce}`,
    `Issued: ${writeSeconds(claim.issuedAtMs)}`,
    `Expires: ${writeSeconds(claim.expiresAtMs)}`,
  ].join('\n');
}

function writeSeconds(ms: number): string {
  return new Date(ms).toISOString().replace('.000Z', 'Z');
}
