/** What a vantage point saw in a slot: one signed document of its looks at endpoints, for registries that count it. */

import { verifyEd25519 } from './node-key.ts';
import { hashRegistryText, type Verdict, writeRegistryText, writeSignedText } from './receipt.ts';

/** What was seen of an endpoint in the slot. */
export type NodeLook = {
  /** `ip:port`, `[ipv6]:port` or `<onion address>:port`: where it was looked at. */
  endpoint: string;
  /** The last look; null when there was no time for one. */
  at: string | null;
  /** What the looks of the slot say together: one that passed, two that failed, or nothing. */
  result: Verdict;
  reason: string | null;
  /** Blocks of the vantage point's chain that its headers are behind; null where they were not read. */
  lag: number | null;
  /** Endpoint tokens that it showed. */
  tokens: string[];
};

/** A statement. The vantage point is a registry itself, and signs by the key of that. Hashes are hex. */
export type NodeLooks = {
  type: 'node-looks';
  version: 1;
  network: string;
  registry_key: string;
  slot: { from: string; to: string };
  /** The best block of the vantage point when it was issued. */
  height: number;
  block_hash: string;
  issued_at: string;
  /** By endpoint, in the order of their bytes; none twice. */
  looks: NodeLook[];
};

/** Looks of one statement, and tokens of one look. */
export const looksBounds = { looks: 11_000, tokens: 8 } as const;

/**
 * Reasons that a look can have, by its result. Those that say where a node is are none of them: only its registry can know.
 * A word that is not here needs another version of the statement.
 */
export const lookReasons: Readonly<Record<Verdict, readonly (string | null)[]>> = {
  pass: [null],
  fail: [
    ...['unreachable', 'closed', 'timeout', 'wrong_magic', 'wrong_chain', 'lagging', 'not_full'],
    ...['block_missing', 'wrong_block', 'malformed', 'bad_checksum', 'too_large', 'too_much', 'too_old'],
  ],
  void: [
    ...['own_node_unavailable', 'own_node_behind', 'no_route', 'no_name_server', 'no_proxy', 'registry_down'],
    ...['registry_busy', 'registry_isolated', 'registry_outvoted', 'registry_outworked'],
  ],
};

/** A statement with what it is known by. */
export type SignedLooks = { statement: NodeLooks; hash: string; signature: string };

/** Why a document that has the form of a statement is none; undefined when it is one, and signed by the key that it names. */
export function findLooksFault({ statement, hash, signature }: SignedLooks): string | undefined {
  const { looks, slot } = statement;
  if (looks.length > looksBounds.looks) return `it has ${looks.length} looks`;
  if (!looks.every(({ endpoint }, i) => i === 0 || looks[i - 1]!.endpoint < endpoint))
    return 'its looks are not in the order of their endpoints';
  if (!looks.every(({ result, reason }) => lookReasons[result].includes(reason)))
    return 'a look of it has a reason that its result cannot have';
  if (!(Date.parse(slot.from) < Date.parse(slot.to))) return 'its slot has no length';
  let text: string;
  try {
    text = writeRegistryText(statement);
  } catch {
    return 'it has no text';
  }
  if (hashRegistryText(text) !== hash) return 'it has another hash';
  if (!verifyEd25519(statement.registry_key, writeSignedText(statement.type, hash), signature))
    return 'its signature is wrong';
  return undefined;
}

/** What a statement says of an endpoint; undefined when it says nothing. */
export function findLook({ looks }: NodeLooks, endpoint: string): NodeLook | undefined {
  return looks.find((look) => look.endpoint === endpoint);
}
