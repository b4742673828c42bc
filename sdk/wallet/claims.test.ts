import type { MetadataChallengeJson } from '@coinfront/api/token-metadata.ts';
import { bytesToHex } from '@coinfront/protocol/bytes.ts';
import { writeCanonicalJson } from '@coinfront/protocol/canonical-json.ts';
import { sha256 } from '@coinfront/protocol/hash.ts';
import { verifySignedMessage } from '@coinfront/protocol/messages/verify-signed-message.ts';
import { regtest } from '@coinfront/protocol/testing/profiles.ts';
import { writeMetadataMessage } from '@coinfront/protocol/tokens/metadata-message.ts';
import { describe, expect, test } from 'vitest';
import { createMnemonic } from './mnemonic.ts';
import { signTokenMetadata } from './sign-token-metadata.ts';
import { regtestNetwork } from './testing/networks.ts';
import { openWallet } from './wallet-keys.ts';
import { deriveAddress } from './watch-wallet.ts';

const wallet = openWallet({ mnemonic: createMnemonic(), network: regtestNetwork });
const refusal = (code: string) => expect.objectContaining({ code });

describe('the description of a token', () => {
  const issuer = deriveAddress(wallet.watch, { kind: 'p2wpkh', chain: 0, index: 4 });
  const metadata = { name: 'Meadow', description: '', website: null, links: [] };
  const intent = { domain: 'coin.example', tokenId: 'ab'.repeat(32), issuer, metadata };
  const challenge = {
    nonce: 'cd'.repeat(32),
    issued_at: '2026-11-20T18:00:00Z',
    expires_at: '2026-11-20T19:00:00Z',
  } as MetadataChallengeJson;
  const messageOf = (change: object = {}) =>
    writeMetadataMessage({
      domain: intent.domain,
      genesisHash: regtestNetwork.genesisHash,
      tokenId: intent.tokenId,
      issuer: issuer.address,
      metadataSha256: bytesToHex(sha256(new TextEncoder().encode(writeCanonicalJson(metadata)))),
      logoSha256: undefined,
      nonce: challenge.nonce,
      issuedAtMs: Date.parse(challenge.issued_at),
      expiresAtMs: Date.parse(challenge.expires_at),
      ...change,
    });

  test('is signed as the issuer', () => {
    const message = messageOf();
    const signature = signTokenMetadata(wallet.keys, intent, { ...challenge, message });
    expect(verifySignedMessage(issuer.address, message, signature, regtest)).toMatchObject({ ok: true });
  });

  test.each([
    ['another token', { tokenId: 'ef'.repeat(32) }],
    ['another description', { metadataSha256: '00'.repeat(32) }],
    ['a logo that was not meant', { logoSha256: '00'.repeat(32) }],
    ['another service', { domain: 'other.example' }],
    ['another chain', { genesisHash: '00'.repeat(32) }],
  ])('is not signed for %s', (_, change) => {
    expect(() =>
      signTokenMetadata(wallet.keys, intent, { ...challenge, message: messageOf(change) }),
    ).toThrow(refusal('claim_mismatch'));
  });
});
