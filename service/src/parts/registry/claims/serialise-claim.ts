import type { ClaimJson } from '@coinfront/api/registry.ts';
import { decodeAddress } from '@coinfront/protocol/address.ts';
import { writeClaimText } from '@coinfront/protocol/registry/claim-text.ts';
import { classifyScript } from '@coinfront/protocol/script.ts';
import type { RegistryContext } from '../registry-context.ts';
import type { RegistryClaimTable } from '../schema/registry-tables.ts';
import { writeTime, writeTimeOrNull } from '../write-time.ts';

/** The text of a claim. */
export function writeClaim(row: RegistryClaimTable, { profile }: Pick<RegistryContext, 'profile'>): string {
  return writeClaimText({
    domain: row.domain,
    registryKey: row.registry_key,
    genesisHash: profile.genesisHash,
    nodeKey: row.node_key,
    endpoint: row.endpoint,
    payoutAddress: row.payout_address,
    nonce: row.nonce,
    issuedAtMs: row.issued_at,
    expiresAtMs: row.expires_at,
  });
}

export function serialiseClaim(
  row: RegistryClaimTable,
  context: Pick<RegistryContext, 'profile' | 'now'>,
): ClaimJson {
  const decoded = decodeAddress(row.payout_address, context.profile);
  const isKeyHash = decoded.ok && classifyScript(decoded.value.script).kind === 'p2pkh';
  const isOpen = row.state === 'pending' || row.state === 'awaiting_endpoint';
  return {
    id: row.id,
    state: isOpen && row.open_until <= context.now() ? 'expired' : row.state,
    message: writeClaim(row, context),
    sign: {
      address_signature: { by: row.payout_address, scheme: isKeyHash ? 'bip137' : 'bip322' },
      node_signature: { by: row.node_key, scheme: 'ed25519' },
    },
    endpoint_token: row.endpoint_token,
    node_key: row.node_key,
    endpoint: row.endpoint,
    payout_address: row.payout_address,
    nonce: row.nonce,
    issued_at: writeTime(row.issued_at),
    expires_at: writeTime(row.expires_at),
    awaits_endpoint_until: row.state === 'awaiting_endpoint' ? writeTime(row.open_until) : null,
    verified_at: writeTimeOrNull(row.verified_at),
  };
}
