import type { ClaimJson } from '@coinfront/api/registry.ts';
import type { MetadataChallengeJson } from '@coinfront/api/token-metadata.ts';
import { bytesToHex } from '@coinfront/protocol/bytes.ts';
import { writeCanonicalJson } from '@coinfront/protocol/canonical-json.ts';
import { sha256 } from '@coinfront/protocol/hash.ts';
import { verifySignedMessage } from '@coinfront/protocol/messages/verify-signed-message.ts';
import { writeAlertText } from '@coinfront/protocol/registry/alert-text.ts';
import { writeClaimText } from '@coinfront/protocol/registry/claim-text.ts';
import { verifyEd25519 } from '@coinfront/protocol/registry/node-key.ts';
import { regtest } from '@coinfront/protocol/testing/profiles.ts';
import { writeMetadataMessage } from '@coinfront/protocol/tokens/metadata-message.ts';
import { describe, expect, test } from 'vitest';
import { createMnemonic } from './mnemonic.ts';
import { nodePublicKey } from './node-identity.ts';
import { signNodeAlerts } from './sign-node-alerts.ts';
import { type NodeIntent, signNodeClaim } from './sign-node-claim.ts';
import { signTokenMetadata } from './sign-token-metadata.ts';
import { STRANGER } from './testing/fake-wallet.ts';
import { regtestNetwork } from './testing/networks.ts';
import { openWallet } from './wallet-keys.ts';
import { deriveAddress } from './watch-wallet.ts';

const wallet = openWallet({ mnemonic: createMnemonic(), network: regtestNetwork });
const refusal = (code: string) => expect.objectContaining({ code });

test("where alerts about a node go is signed by the node's key", () => {
  const registryKey = 'ab'.repeat(32);
  const nowMs = Date.parse('2026-11-20T18:00:00.512Z');
  for (const url of ['https://owner.example/alerts', null]) {
    const signed = signNodeAlerts(wallet.keys, {
      domain: 'nodes.example',
      registryKey,
      nodeIndex: 1,
      url,
      nowMs,
    });
    const nodeKey = nodePublicKey(wallet.keys, 1);
    expect(signed).toMatchObject({ node_key: nodeKey, url, issued_at: '2026-11-20T18:00:00.000Z' });
    const text = writeAlertText({
      ...{ domain: 'nodes.example', registryKey, genesisHash: regtestNetwork.genesisHash, nodeKey, url },
      issuedAtMs: Date.parse(signed.issued_at),
    });
    expect(text).toContain(`Alerts to: ${url ?? 'nobody'}\nIssued: 2026-11-20T18:00:00Z`);
    expect(verifyEd25519(nodeKey, text, signed.signature)).toBe(true);
  }
});

describe('the registration of a node', () => {
  const payout = deriveAddress(wallet.watch, { kind: 'p2pkh', chain: 0, index: 2 });
  const intent: NodeIntent = {
    domain: 'nodes.example',
    registryKey: 'ab'.repeat(32),
    endpoint: '203.0.113.7:29666',
    payout,
    nodeIndex: 1,
  };
  const claim = {
    id: 'clm_0123456789012345678901',
    nonce: 'cd'.repeat(32),
    issued_at: '2026-11-20T18:00:00.000Z',
    expires_at: '2026-11-20T19:00:00.000Z',
  } as ClaimJson;
  const messageOf = (change: object = {}) =>
    writeClaimText({
      domain: intent.domain,
      registryKey: intent.registryKey,
      genesisHash: regtestNetwork.genesisHash,
      nodeKey: nodePublicKey(wallet.keys, 1),
      endpoint: intent.endpoint,
      payoutAddress: payout.address,
      nonce: claim.nonce,
      issuedAtMs: Date.parse(claim.issued_at),
      expiresAtMs: Date.parse(claim.expires_at),
      ...change,
    });

  test('is signed by the payout address and by the node', () => {
    const message = messageOf();
    const signed = signNodeClaim(wallet.keys, intent, { ...claim, message });
    expect(signed.claim_id).toBe(claim.id);
    expect(verifySignedMessage(payout.address, message, signed.address_signature, regtest)).toMatchObject({
      ok: true,
    });
    expect(verifyEd25519(nodePublicKey(wallet.keys, 1), message, signed.node_signature)).toBe(true);
    expect(verifyEd25519(nodePublicKey(wallet.keys, 0), message, signed.node_signature)).toBe(false);
  });

  test.each([
    ['another registry', { registryKey: 'ef'.repeat(32) }],
    ['another host', { domain: 'other.example' }],
    ['another endpoint', { endpoint: '203.0.113.8:29666' }],
    ['another chain', { genesisHash: '00'.repeat(32) }],
    ["somebody's key", { nodeKey: '11'.repeat(32) }],
    ["somebody's address", { payoutAddress: STRANGER }],
  ])('is not signed for %s', (_, change) => {
    expect(() => signNodeClaim(wallet.keys, intent, { ...claim, message: messageOf(change) })).toThrow(
      refusal('claim_mismatch'),
    );
  });
});

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
