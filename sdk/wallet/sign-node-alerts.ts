import { writeAlertText } from '@coinfront/protocol/registry/alert-text.ts';
import { nodePublicKey, signAsNode } from './node-identity.ts';
import type { WalletKeys } from './wallet-keys.ts';

/** Where the owner of a node wants alerts about it. */
export type NodeAlertsIntent = {
  /** Host of the registry, with its port if it has one. */
  domain: string;
  /** Ed25519 key of the registry, hex: of its `/status`, and the same as the last time. */
  registryKey: string;
  /** Which of the wallet's nodes, from 0. */
  nodeIndex: number;
  /** https, of the public internet; null ends the alerts. */
  url: string | null;
  /** Unix milliseconds. */
  nowMs: number;
};

/** What `setNodeAlerts` is called with. */
export type SignedNodeAlerts = { node_key: string; url: string | null; issued_at: string; signature: string };

/**
 * Signs where alerts about a node go, with the node's key.
 *
 * @example
 * await setNodeAlerts(client, signNodeAlerts(keys, { domain, registryKey, nodeIndex: 0, url, nowMs: Date.now() }));
 */
export function signNodeAlerts(
  keys: WalletKeys,
  { domain, registryKey, nodeIndex, url, nowMs }: NodeAlertsIntent,
): SignedNodeAlerts {
  const node_key = nodePublicKey(keys, nodeIndex);
  const issuedAtMs = Math.floor(nowMs / 1000) * 1000;
  const { genesisHash } = keys.network;
  const text = writeAlertText({ domain, registryKey, genesisHash, nodeKey: node_key, url, issuedAtMs });
  return {
    node_key,
    url,
    issued_at: new Date(issuedAtMs).toISOString(),
    signature: signAsNode(keys, nodeIndex, text),
  };
}
