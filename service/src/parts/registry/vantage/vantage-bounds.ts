/** Bounds of what vantage points ask of one another. docs/nodes.md names each. */

import { looksBounds } from '@coinfront/protocol/registry/looks.ts';

/** Endpoints of all peers together that are looked at. */
export const MAX_OTHERS = 1_000;
/** A list of nodes that could not be read anew for so long is forgotten. */
export const LIST_AGE_MS = 3_600_000;
/** How often lists of nodes are read, at most; and which part of a slot, where slots are short. */
export const LIST_EVERY = { mostMs: 60_000, part: 0.25 };
/** Nodes of one answer. */
export const LIST_PAGE = 50;
/** What one reading of a peer's list of nodes may take: pages, however few nodes they have, and time. What was read by then counts. */
export const LIST_ROUND = { pages: 40, ms: 60_000 };
/** Statements that are asked for at once in the list of a peer: two slots of all that it may hold. */
export const ENTRIES = 100;
/** Of a vantage point that has signed two statements of so many slots, found out within the time, nothing is taken until that is over. */
export const SECOND_STATEMENTS = { most: 12, withinMs: 86_400_000 };
/** Of a peer's answers. */
export const PEER_LIMITS = { totalTimeoutMs: 10_000, maxBodyBytes: 4_000_000, maxWireBytes: 4_200_000 };

/** How long an answer may be, and how many commas and brackets it may have: parts cost the thread more than bytes do. */
export type AnswerBounds = { maxChars: number; maxParts: number };
/** A page of nodes or of statements' names: 50 user agents of nothing but commas are within it. */
export const LIST_BOUNDS: AnswerBounds = { maxChars: 256_000, maxParts: 20_000 };
/** A statement: a look has at most nine, and one more for each token but the first. */
export const STATEMENT_BOUNDS: AnswerBounds = {
  maxChars: PEER_LIMITS.maxBodyBytes,
  maxParts: looksBounds.looks * (8 + looksBounds.tokens) + 100,
};

/** For so long after a slot's end statements are awaited, milliseconds. */
export function graceOf(slotMs: number): number {
  return Math.max(slotMs / 20, Math.min(2_000, slotMs / 5));
}
