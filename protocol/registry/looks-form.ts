/** Whether what somebody sent has the form of a statement or of votes: whoever checks them reads no further before that. */

import { lookReasons, looksBounds, type NodeLook, type SignedLooks } from './looks.ts';
import type { Vote } from './votes.ts';

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;
const isTexts = (values: readonly unknown[]): values is string[] =>
  values.every((value) => typeof value === 'string');
const isNullOr = (type: 'string' | 'number', value: unknown): boolean =>
  value === null || typeof value === type;

/** Whether a value has the form of a statement with its hash and signature; what it says is checked by `findLooksFault`. */
export function hasLooksForm(value: unknown): value is SignedLooks {
  if (!isFields(value) || !isTexts([value.hash, value.signature]) || !isFields(value.statement)) return false;
  const { type, version, network, registry_key, slot, height, block_hash, issued_at, looks } =
    value.statement;
  return (
    type === 'node-looks' &&
    version === 1 &&
    isTexts([network, registry_key, block_hash, issued_at]) &&
    typeof height === 'number' &&
    isFields(slot) &&
    isTexts([slot.from, slot.to]) &&
    Array.isArray(looks) &&
    looks.length <= looksBounds.looks &&
    looks.every(hasLookForm)
  );
}

function hasLookForm(value: unknown): value is NodeLook {
  if (!isFields(value)) return false;
  const { endpoint, at, result, reason, lag, tokens } = value;
  return (
    typeof endpoint === 'string' &&
    typeof result === 'string' &&
    Object.hasOwn(lookReasons, result) &&
    isNullOr('string', at) &&
    isNullOr('string', reason) &&
    isNullOr('number', lag) &&
    Array.isArray(tokens) &&
    tokens.length <= looksBounds.tokens &&
    isTexts(tokens)
  );
}

/** Vantage points of a receipt, the registry itself among them; and statements of one that a vote names: two are a contradiction. */
export const voteBounds = { votes: 17, statements: 2 } as const;

/** Whether a value has the form of the votes of a receipt. */
export function hasVotesForm(value: unknown): value is Vote[] {
  return Array.isArray(value) && value.length <= voteBounds.votes && value.every(hasVoteForm);
}

function hasVoteForm(value: unknown): value is Vote {
  if (!isFields(value)) return false;
  const { vantage, statements, result, reason, proven } = value;
  return (
    isTexts([vantage, result]) &&
    isNullOr('string', reason) &&
    typeof proven === 'boolean' &&
    Array.isArray(statements) &&
    statements.length <= voteBounds.statements &&
    isTexts(statements)
  );
}
