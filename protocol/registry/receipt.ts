/** Receipts of a registry, and the epochs that sum them up: documents whose RFC 8785 text is hashed and signed. */

import { bytesToHex, getHexBytes } from '../bytes.ts';
import { writeCanonicalJson } from '../canonical-json.ts';
import { sha256 } from '../hash.ts';
import { hashLeaf } from '../signed-log/merkle-tree.ts';
import type { NodeLooks } from './looks.ts';
import { verifyEd25519 } from './node-key.ts';
import type { Vote } from './votes.ts';

/** What a receipt says of the slots that it is for. */
export type Verdict = 'pass' | 'fail' | 'void';

/** One look at a node. Times are ISO 8601 in UTC with milliseconds. */
export type ReceiptAttempt = { at: string; result: Verdict; reason: string | null };

/** What a look at a node saw; null is what it did not come to see. */
export type ReceiptObservation = {
  /** Height that the node claims in its handshake. */
  start_height: number | null;
  /** Blocks of the registry's chain that its headers are behind. */
  lag: number | null;
  protocol_version: number | null;
  /** Bits of its services, hex. */
  services: string | null;
  /** As it was sent, but for what is no printable ASCII. */
  user_agent: string | null;
  /** Whether its user agent had the token of the registration. */
  endpoint_proven: boolean | null;
  block_height: number | null;
  block_hash: string | null;
  ping_ms: number | null;
};

/**
 * A receipt. `kind` `probe` is for one node, `outage` for all that were registered, in slots in which the registry did
 * not look. Hashes are hex. Version 2 has the votes of vantage points besides.
 */
export type Receipt = {
  type: 'node-receipt';
  version: 1 | 2;
  network: string;
  registry_key: string;
  sequence: number;
  /** Hash of the receipt before; 64 zeros in the first. */
  previous_hash: string;
  epoch: number;
  /** The best block of the registry when it was issued. */
  height: number;
  block_hash: string;
  issued_at: string;
  kind: 'probe' | 'outage';
  node_key: string | null;
  endpoint: string | null;
  payout_address: string | null;
  /** The slots that it judges, from the beginning of the first to the end of the last. */
  slots: { from: string; to: string; count: number };
  verdict: Verdict;
  reason: string | null;
  attempts: ReceiptAttempt[];
  observed: ReceiptObservation | null;
  /** Of all vantage points of the epoch and of the registry itself, in the order of their keys. Of version 2. */
  votes?: Vote[];
};

/**
 * A closed epoch: its receipts under one root. Version 2 says which rules its rewards are shared by; under version 1 they are rules 1.
 * Version 3 names the table of autonomous systems, too, and version 4 the vantage points.
 */
export type EpochSummary = {
  type: 'node-epoch';
  version: 1 | 2 | 3 | 4;
  network: string;
  registry_key: string;
  epoch: number;
  first_sequence: number;
  last_sequence: number;
  receipts: number;
  /** Of RFC 6962, over the hashes of its receipts in their order. */
  merkle_root: string;
  /** Hash of its last receipt. */
  last_hash: string;
  closed_at: string;
  /** Rules of rewards: docs/nodes.md. From version 2 on. */
  rules?: number;
  /** Slots in which any node passed or failed. From version 2 on. */
  slots?: number;
  /** SHA-256 of the table of autonomous systems that the epoch began with; null without one. From version 3 on. */
  as_table?: string | null;
  /** Keys of the vantage points besides the registry that the epoch began with, ascending. From version 4 on. */
  vantages?: string[];
};

/** Hash of the receipt before the first. */
export const FIRST_PREVIOUS_HASH = '0'.repeat(64);

const encoder = new TextEncoder();
const purposes = { 'node-receipt': 'receipt', 'node-epoch': 'epoch', 'node-looks': 'looks' } as const;

/** What a registry signs. */
type RegistryDocument = Receipt | EpochSummary | NodeLooks;

/** The one text of a document. */
export function writeRegistryText(document: RegistryDocument): string {
  return writeCanonicalJson(document);
}

/** SHA-256, hex, of a document's text. */
export function hashRegistryText(text: string): string {
  return bytesToHex(sha256(encoder.encode(text)));
}

/** The leaf that a receipt is in the tree of its epoch: its hash is the data of the leaf. */
export function leafOfReceipt(hash: string): Uint8Array {
  return hashLeaf(getHexBytes(hash));
}

/** The text, to be signed as UTF-8, for a document of this type and hash. */
export function writeSignedText(type: RegistryDocument['type'], hash: string): string {
  return `node registry ${purposes[type]}, version 1\n${hash}`;
}

/** Whether a document was signed by the registry that it names. No document throws: what has no text nobody has signed. */
export function verifyRegistrySignature(document: RegistryDocument, signature: string): boolean {
  let hash: string;
  try {
    hash = hashRegistryText(writeRegistryText(document));
  } catch {
    return false;
  }
  return verifyEd25519(document.registry_key, writeSignedText(document.type, hash), signature);
}
