import { readFileSync } from 'node:fs';
import { writeCanonicalJson } from '@coinfront/protocol/canonical-json.ts';
import { verifySignedMessage } from '@coinfront/protocol/messages/verify-signed-message.ts';
import { getShippedProfile } from '@coinfront/protocol/shipped-profiles.ts';
import { writeMetadataMessage } from '@coinfront/protocol/tokens/metadata-message.ts';
import { expect, test } from 'vitest';
import { sha256Hex } from './claim.ts';
import { metadataExamples } from './metadata-examples.ts';
import { findMetadataFault } from './metadata-rules.ts';
import { createLogoRenderer } from './render-logo.ts';

const { metadata, challenge, signature, logo } = metadataExamples;
const profile = getShippedProfile('bitcoin');
const page = readFileSync(
  new URL('../../../../../docs/protocols/token-metadata.md', import.meta.url),
  'utf8',
);

test('the example of the documents is a right one, from the metadata to the signature', async () => {
  expect(findMetadataFault(metadata)).toBeUndefined();
  expect(sha256Hex(writeCanonicalJson(metadata))).toBe(challenge.metadata_sha256);
  expect(sha256Hex(Buffer.from(logo, 'base64'))).toBe(challenge.logo_sha256);
  expect((await createLogoRenderer()(Buffer.from(logo, 'base64'))).ok).toBe(true);
  expect(challenge.message).toBe(
    writeMetadataMessage({
      domain: 'coin.example',
      genesisHash: profile.genesisHash,
      tokenId: challenge.token_id,
      issuer: challenge.issuer,
      metadataSha256: challenge.metadata_sha256,
      logoSha256: challenge.logo_sha256 ?? undefined,
      nonce: challenge.nonce,
      issuedAtMs: Date.parse(challenge.issued_at),
      expiresAtMs: Date.parse(challenge.expires_at),
    }),
  );
  expect(verifySignedMessage(challenge.issuer, challenge.message, signature, profile).ok).toBe(true);
});

test('the specification shows the same metadata, hash and lines', () => {
  expect(page).toContain(writeCanonicalJson(metadata));
  expect(page).toContain(challenge.metadata_sha256);
  const shape = (text: string) => text.split('\n').map((line) => line.split(':')[0]);
  const shown = /```\n(<domain> asks[\s\S]+?)\n```/.exec(page)![1]!;
  expect(shape(shown).slice(1)).toEqual(shape(challenge.message).slice(1));
});
