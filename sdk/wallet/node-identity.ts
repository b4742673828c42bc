import { bytesToHex } from '@coinfront/protocol/bytes.ts';
import { ed25519 } from '@noble/curves/ed25519.js';
import type { WalletKeys } from './wallet-keys.ts';

/**
 * The public key by which a node of this wallet is known to a node registry; hex. It holds no coins, and a restored wallet
 * has it again.
 *
 * @param index - counts nodes from 0
 * @example
 * const node_key = nodePublicKey(keys, 0);
 */
export function nodePublicKey(keys: WalletKeys, index: number): string {
  const key = keys.nodeKey(index);
  try {
    return bytesToHex(ed25519.getPublicKey(key));
  } finally {
    key.fill(0);
  }
}

/** Signs a text (as UTF-8) as a node: Ed25519 (RFC 8032), 128 hex digits. */
export function signAsNode(keys: WalletKeys, index: number, text: string): string {
  const key = keys.nodeKey(index);
  try {
    return bytesToHex(ed25519.sign(new TextEncoder().encode(text), key));
  } finally {
    key.fill(0);
  }
}
