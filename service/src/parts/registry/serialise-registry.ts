/** Rows of the registry as the interface shows them. */

import type { ClaimJson, EpochJson, NodeJson, ReceiptJson } from '@coinfront/api/registry.ts';
import type { LogAnchorJson } from '@coinfront/api/signed-log.ts';
import { decodeAddress } from '@coinfront/protocol/address.ts';
import { writeClaimText } from '@coinfront/protocol/registry/claim-text.ts';
import { hashRegistryText, type Verdict } from '@coinfront/protocol/registry/receipt.ts';
import { classifyScript } from '@coinfront/protocol/script.ts';
import { readReceipt, readSummary, type StoredEpoch, type StoredReceipt } from './receipt-store.ts';
import type { RegistryContext } from './registry-context.ts';
import type { RegistryClaimTable, RegistryNodeTable } from './registry-tables.ts';
import { uptimePpm } from './reward-parts.ts';

export function writeTime(ms: number): string {
  return new Date(ms).toISOString();
}

const writeTimeOrNull = (ms: number | null) => (ms === null ? null : writeTime(ms));

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

type Counts = { passed: number; failed: number; voided: number };

export function serialiseCounts(counts: Counts | undefined): NodeJson['total'] {
  const { passed = 0, failed = 0, voided = 0 } = counts ?? {};
  return { passed, failed, void: voided, uptime_ppm: uptimePpm({ passed, failed }) ?? null };
}

/** @param epoch its slots in the open epoch; undefined when there are none */
export function serialiseNode(row: RegistryNodeTable, epoch: Counts | undefined): NodeJson {
  const { last_verdict, last_reason, last_sequence } = row;
  return {
    node_key: row.node_key,
    state: row.state,
    endpoint: row.endpoint,
    network: row.network,
    payout_address: row.payout_address,
    endpoint_proven: row.endpoint_proven === null ? null : row.endpoint_proven === 1,
    registered_at: writeTime(row.registered_at),
    first_seen: writeTimeOrNull(row.first_passed_at),
    last_seen: writeTimeOrNull(row.last_passed_at),
    last_verdict:
      last_verdict === null || last_sequence === null
        ? null
        : { verdict: last_verdict as Verdict, reason: last_reason, sequence: last_sequence },
    total: serialiseCounts(row),
    epoch: serialiseCounts(epoch),
    height_lag: row.lag,
    protocol_version: row.protocol_version,
    user_agent: row.user_agent,
  };
}

export function serialiseReceipt(stored: StoredReceipt): ReceiptJson {
  return { receipt: readReceipt(stored), hash: stored.hash, signature: stored.signature };
}

/** An epoch that is closed, or the open one with its receipts so far. */
export function serialiseEpoch(
  epoch: StoredEpoch | { epoch: number; receipts: number },
  epochBlocks: number,
  anchor: LogAnchorJson | undefined,
): EpochJson {
  const heights = {
    from_height: epoch.epoch * epochBlocks,
    to_height: (epoch.epoch + 1) * epochBlocks - 1,
  };
  if (!('text' in epoch)) {
    const { receipts } = epoch;
    return {
      epoch: epoch.epoch,
      state: 'open',
      ...heights,
      receipts,
      summary: null,
      hash: null,
      signature: null,
      anchor: null,
    };
  }
  const summary = readSummary(epoch);
  return {
    epoch: epoch.epoch,
    state: 'closed',
    ...heights,
    receipts: summary.receipts,
    summary,
    hash: hashRegistryText(epoch.text),
    signature: epoch.signature,
    anchor: anchor ?? null,
  };
}
