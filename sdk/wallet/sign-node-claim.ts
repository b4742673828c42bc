import type { ClaimJson } from '@coinfront/api/registry.ts';
import { writeClaimText } from '@coinfront/protocol/registry/claim-text.ts';
import { nodePublicKey, signAsNode } from './node-identity.ts';
import { signMessage } from './sign-message.ts';
import type { WalletAddress } from './wallet-address.ts';
import { WalletError } from './wallet-error.ts';
import type { WalletKeys } from './wallet-keys.ts';

/** What the owner of a node wants registered, and where. */
export type NodeIntent = {
  /** Host of the registry, with its port if it has one. */
  domain: string;
  /** Ed25519 key of the registry, hex: of its `/status`, and the same as the last time. */
  registryKey: string;
  /** `ip:port`, `[ipv6]:port`, `host:port` or `<onion address>:port`. */
  endpoint: string;
  /** Address of the wallet that signs, and that rewards would go to. */
  payout: WalletAddress;
  /** Which of the wallet's nodes, from 0. */
  nodeIndex: number;
};

/** What `verifyClaim` is called with. */
export type SignedClaim = { claim_id: string; address_signature: string; node_signature: string };

/**
 * Signs the registration of a node with the payout address and the node's key. The text is made anew from what the owner
 * means, and compared with the claim: a registry cannot have another text signed.
 *
 * @throws WalletError `claim_mismatch`
 * @example
 * const claim = await registerNode(client, { node_key: nodePublicKey(keys, 0), endpoint, payout_address: payout.address });
 * await verifyClaim(client, signNodeClaim(keys, { domain, registryKey, endpoint, payout, nodeIndex: 0 }, claim));
 */
export function signNodeClaim(keys: WalletKeys, intent: NodeIntent, claim: ClaimJson): SignedClaim {
  const { domain, registryKey, endpoint, payout, nodeIndex } = intent;
  const message = writeClaimText({
    domain,
    registryKey,
    genesisHash: keys.network.genesisHash,
    nodeKey: nodePublicKey(keys, nodeIndex),
    endpoint,
    payoutAddress: payout.address,
    nonce: claim.nonce,
    issuedAtMs: Date.parse(claim.issued_at),
    expiresAtMs: Date.parse(claim.expires_at),
  });
  if (message !== claim.message || !/^[0-9a-f]{64}$/.test(claim.nonce)) {
    throw new WalletError(
      'claim_mismatch',
      'The registry wants another text signed than the one for this node.',
    );
  }
  return {
    claim_id: claim.id,
    address_signature: signMessage(keys, payout, message),
    node_signature: signAsNode(keys, nodeIndex, message),
  };
}
