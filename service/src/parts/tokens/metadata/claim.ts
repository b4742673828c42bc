import { createHash } from 'node:crypto';
import type { TokenMetadataJson } from '@coinfront/api/token-metadata.ts';
import { encodeAddress } from '@coinfront/protocol/address.ts';
import { writeCanonicalJson } from '@coinfront/protocol/canonical-json.ts';
import { writeMetadataMessage } from '@coinfront/protocol/tokens/metadata-message.ts';
import { AppError } from '../../../errors.ts';
import { getDomain, type TokenMetadataContext } from './metadata-context.ts';
import { findMetadataFault } from './metadata-rules.ts';
import type { MetadataChallengeTable } from './metadata-tables.ts';

/** SHA-256 in hex; text as UTF-8. */
export function sha256Hex(data: Uint8Array | string): string {
  return createHash('sha256').update(data).digest('hex');
}

/**
 * The one text of metadata, with its hash.
 *
 * @throws AppError `metadata_invalid`
 */
export function getCanonical(metadata: TokenMetadataJson): { text: string; sha256: string } {
  const fault = findMetadataFault(metadata);
  if (fault !== undefined) throw new AppError('metadata_invalid', fault);
  const text = writeCanonicalJson(metadata);
  return { text, sha256: sha256Hex(text) };
}

/**
 * The address that has to sign for a token.
 *
 * @throws AppError `issuer_cannot_sign`
 */
export function getIssuer(issuerScript: Uint8Array, { profile }: TokenMetadataContext): string {
  const address = encodeAddress(issuerScript, profile);
  if (address !== undefined) return address;
  const detail =
    'The issuer of this token is a script that has no address on this coin, so it cannot sign a message.';
  throw new AppError('issuer_cannot_sign', detail);
}

/**
 * The text of a challenge as this service asks it now: another domain or another network makes another text.
 *
 * @throws AppError `metadata_unavailable`
 */
export function writeChallenge(row: MetadataChallengeTable, context: TokenMetadataContext): string {
  return writeMetadataMessage({
    domain: getDomain(context),
    genesisHash: context.profile.genesisHash,
    tokenId: row.token_id,
    issuer: row.issuer,
    metadataSha256: row.metadata_sha256,
    logoSha256: row.logo_sha256 ?? undefined,
    nonce: row.nonce,
    issuedAtMs: row.issued_at,
    expiresAtMs: row.expires_at,
  });
}
