/** Entries of a treasury's ledger as they are chained and signed: docs/protocols/treasury.md. */

import { bytesToHex } from '../bytes.ts';
import { type Json, writeCanonicalJson } from '../canonical-json.ts';
import { sha256 } from '../hash.ts';
import { verifyEd25519 } from '../registry/node-key.ts';

/** What of an entry never changes. Amounts are in coins, times ISO 8601 in UTC with milliseconds. */
export type EntryFields = {
  sequence: number;
  kind: string;
  amount: string;
  balance: string;
  txid: string;
  vout: number | null;
  height: number;
  block_hash: string;
  block_time: string;
  recorded_at: string;
  late: boolean;
  reason: string | null;
  reverses: number | null;
  /** Who said whose a gift is that no intent had; null or left out where an intent did. */
  assigned_by?: string | null;
  /** The spend that a note is about, and what the operator says of it. */
  refers_to?: number | null;
  purpose?: string | null;
  payee?: string | null;
};

/** What binds an entry to the one before it, to whose it is, and to the service. Hashes are hex. */
export type EntrySeal = {
  /** Hash of the entry before; {@link LEDGER_START} in the first. */
  previous_hash: string;
  /** {@link hashAttribution}; null when it is nobody's. */
  attribution: string | null;
  hash: string;
  /** Ed25519. */
  service_key: string;
  signature: string;
};

/** What a contributor needs to show that an entry is his. */
export type AttributionOpening = {
  contributor_id: string;
  /** Null when no intent brought it about. */
  intent_id: string | null;
  /** 32 random bytes, hex. */
  salt: string;
};

/** Hash of the entry before the first. */
export const LEDGER_START = '0'.repeat(64);

const encoder = new TextEncoder();
const hashText = (text: string): string => bytesToHex(sha256(encoder.encode(text)));

/** Names of the fields: whatever else an object has is not part of the entry. */
const FIELDS = [
  'sequence',
  'kind',
  'amount',
  'balance',
  'txid',
  'vout',
  'height',
  'block_hash',
  'block_time',
  'recorded_at',
  'late',
  'reason',
  'reverses',
  'assigned_by',
  'refers_to',
  'purpose',
  'payee',
] as const satisfies readonly (keyof EntryFields)[];

/**
 * The one text of an entry: RFC 8785 of its fields that are not null.
 *
 * @param network hash of the genesis block, as people write it
 * @throws Error for what has no such text
 */
export function writeEntryText(
  entry: EntryFields,
  seal: Pick<EntrySeal, 'previous_hash' | 'attribution' | 'service_key'>,
  network: string,
): string {
  const { previous_hash, attribution, service_key } = seal;
  const document: Record<string, Json | undefined> = {
    ...{ type: 'treasury-entry', version: 1, network, service_key, previous_hash },
    attribution: attribution ?? undefined,
  };
  for (const name of FIELDS) document[name] = entry[name] ?? undefined;
  return writeCanonicalJson(document);
}

/** SHA-256, hex, of an entry's text. */
export function hashEntryText(text: string): string {
  return hashText(text);
}

/** The text, to be signed as UTF-8, for an entry of this hash. */
export function writeSignedEntryText(hash: string): string {
  return `treasury ledger entry, version 1\n${hash}`;
}

/** Whether the service has signed an entry of this hash. No input throws. */
export function verifyEntrySignature({
  hash,
  service_key,
  signature,
}: Pick<EntrySeal, 'hash' | 'service_key' | 'signature'>): boolean {
  return verifyEd25519(service_key, writeSignedEntryText(hash), signature);
}

/** What an entry says of whose it is: it tells nothing to who does not know the salt. */
export function hashAttribution({ contributor_id, intent_id, salt }: AttributionOpening): string {
  return hashText(`treasury attribution, version 1\n${contributor_id}\n${intent_id ?? ''}\n${salt}`);
}
