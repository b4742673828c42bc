/** Heads of a treasury's ledger, which are the entries of its signed log: docs/protocols/treasury.md. */

import { writeCanonicalJson } from '../canonical-json.ts';
import { fail, ok, type Result } from '../result.ts';

/** What a ledger was when an epoch had ended. */
export type LoggedHead = {
  type: 'treasury-head';
  version: 1;
  /** Hash of the genesis block, as people write it. */
  network: string;
  /** Ed25519, hex. */
  service_key: string;
  /** The epoch of blocks that had ended. */
  epoch: number;
  /** The newest entry, and its hash: it stands for all entries up to it. */
  sequence: number;
  hash: string;
  /** ISO 8601 in UTC with milliseconds: when the head was taken. */
  taken_at: string;
};

/** The one text of a head: RFC 8785. */
export function writeLoggedHead(head: LoggedHead): string {
  return writeCanonicalJson(head);
}

const isCount = (value: unknown, least: number): boolean =>
  Number.isSafeInteger(value) && (value as number) >= least;
const isHash = (value: unknown): boolean => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);

/** Reads the text of a head, which may come from anybody. Another text of the same values is refused. */
export function parseLoggedHead(text: string): Result<LoggedHead> {
  let json: Partial<LoggedHead> | null;
  try {
    json = JSON.parse(text) as Partial<LoggedHead> | null;
  } catch {
    return fail('a head is JSON');
  }
  if (typeof json !== 'object' || json === null) return fail('a head is an object');
  const { type, version, network, service_key, epoch, sequence, hash, taken_at } = json;
  if (type !== 'treasury-head' || version !== 1) return fail('it is no head of version 1');
  if (!isHash(network) || !isHash(service_key) || !isHash(hash))
    return fail('network, service_key and hash are 64 hex digits');
  if (!isCount(epoch, 0) || !isCount(sequence, 1)) return fail('epoch and sequence are whole numbers');
  if (typeof taken_at !== 'string') return fail('taken_at is a text');
  const head = { type, version, network, service_key, epoch, sequence, hash, taken_at } as LoggedHead;
  return writeLoggedHead(head) === text ? ok(head) : fail('it is not written as RFC 8785 has it');
}

/** The epoch that has ended for certain when the chain has a height; undefined before the first has. */
export function endedEpoch(height: number, epochBlocks: number): number | undefined {
  const ended = Math.floor(height / epochBlocks) - 1;
  return ended < 0 ? undefined : ended;
}
