/** Examples of the document: they belong together, and the signature is a right one of a key that everybody knows. */

import type {
  MetadataChallengeJson,
  MetadataSubmissionJson,
  TokenMetadataJson,
} from '@coinfront/api/token-metadata.ts';

const tokenId = '9b088a0d5d9215b3a7055f874a7dde85278ae79db9f56409db276371e97c5594';

const metadata: TokenMetadataJson = {
  name: 'Harbour Credits',
  description: 'Prepaid berths in the harbour. One credit is one night.',
  website: 'https://harbour.example',
  links: [{ label: 'Terms', url: 'https://harbour.example/terms' }],
};

const challenge: MetadataChallengeJson = {
  token_id: tokenId,
  nonce: '59857136ec33dd104486724a3382ef561dad39d5c8f564543d8a80fea6b49253',
  issuer: 'bc1q50rtrmj2f8vl9tem8qpfw36ylw5jg9j29e5za5',
  message: [
    'coin.example asks the issuer of a token to confirm its public description.',
    'Signing this text moves no coins.',
    '',
    'Purpose: token metadata, version 1',
    'Domain: coin.example',
    'Network: 000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f',
    'Token: 9b088a0d5d9215b3a7055f874a7dde85278ae79db9f56409db276371e97c5594',
    'Issuer: bc1q50rtrmj2f8vl9tem8qpfw36ylw5jg9j29e5za5',
    'Metadata SHA-256: 70f8e5f0b7c52327b931c262bf2827f998c001c214344b73c4da904973d2513b',
    'Logo SHA-256: d0eee1bfcfd815ed02ca0628d355162f8e61f816725d6f7f80fe8b0df7620e2b',
    'Nonce: 59857136ec33dd104486724a3382ef561dad39d5c8f564543d8a80fea6b49253',
    'Issued: 2026-11-20T12:00:00Z',
    'Expires: 2026-11-20T12:15:00Z',
  ].join('\n'),
  metadata_sha256: '70f8e5f0b7c52327b931c262bf2827f998c001c214344b73c4da904973d2513b',
  logo_sha256: 'd0eee1bfcfd815ed02ca0628d355162f8e61f816725d6f7f80fe8b0df7620e2b',
  issued_at: '2026-11-20T12:00:00.000Z',
  expires_at: '2026-11-20T12:15:00.000Z',
};

const submission: MetadataSubmissionJson = {
  id: 'tms_5a1yXlqS6Gq3n0w1b2c3dA',
  token_id: tokenId,
  state: 'pending',
  reason: null,
  submitted_at: '2026-11-20T12:03:10.512Z',
  decided_at: null,
};

/** One token's way from the challenge to the review. */
export const metadataExamples = {
  metadata,
  challenge,
  signature:
    'smpAkcwRAIgCBc5tXn64pL2vrw8fqVTWIeFCzTI2gL2O3WwjD5zQwECIFWKXdrenWAFryTLyUu/uY7bkWoGe+OyfXM3VHs6cm2rASECmJwLdstWOXH9yb7zHsBsNWDzJJ1u6eXYPFdiVZbgX28=',
  logo: 'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAD0lEQVQI12NgWJUGQhAKABw2BEHPPxRxAAAAAElFTkSuQmCC',
  submission,
};
