import type { MetadataChallengeJson, TokenMetadataJson } from '@coinfront/api/token-metadata.ts';
import { bytesToHex } from '@coinfront/protocol/bytes.ts';
import { writeCanonicalJson } from '@coinfront/protocol/canonical-json.ts';
import { sha256 } from '@coinfront/protocol/hash.ts';
import { writeMetadataMessage } from '@coinfront/protocol/tokens/metadata-message.ts';
import { signMessage } from './sign-message.ts';
import type { WalletAddress } from './wallet-address.ts';
import { WalletError } from './wallet-error.ts';
import type { WalletKeys } from './wallet-keys.ts';

/** What the issuer of a token publishes about it, and to whom. */
export type MetadataIntent = {
  /** Host of the service, with its port if it has one. */
  domain: string;
  /** Hex. */
  tokenId: string;
  issuer: WalletAddress;
  metadata: TokenMetadataJson;
  /** SHA-256 of the logo's file, hex; undefined for none. */
  logoSha256?: string | undefined;
};

/**
 * Signs a token's description as its issuer. The text is made anew from what the issuer means, and compared with what the
 * service wants signed: a service cannot have another text signed.
 *
 * @returns the signature for `submitMetadata`
 * @throws WalletError `claim_mismatch`
 * @example
 * const challenge = await challengeIssuer(client, { token_id, metadata, logo_sha256: null });
 * const signature = signTokenMetadata(keys, { domain: 'coin.example', tokenId: token_id, issuer, metadata }, challenge);
 */
export function signTokenMetadata(
  keys: WalletKeys,
  intent: MetadataIntent,
  challenge: MetadataChallengeJson,
): string {
  const message = writeMetadataMessage({
    domain: intent.domain,
    genesisHash: keys.network.genesisHash,
    tokenId: intent.tokenId,
    issuer: intent.issuer.address,
    metadataSha256: bytesToHex(sha256(new TextEncoder().encode(writeCanonicalJson(intent.metadata)))),
    logoSha256: intent.logoSha256,
    nonce: challenge.nonce,
    issuedAtMs: Date.parse(challenge.issued_at),
    expiresAtMs: Date.parse(challenge.expires_at),
  });
  if (message === challenge.message && /^[0-9a-f]{64}$/.test(challenge.nonce)) {
    return signMessage(keys, intent.issuer, message);
  }
  throw new WalletError(
    'claim_mismatch',
    'The service wants another text signed than the one for this description.',
  );
}
