import { findPayload } from '../carrier.ts';
import type { TokenRules } from '../profile.ts';
import type { TxOutput } from '../transaction.ts';
import { decodeTokenOperation, type TokenOperation } from './token-operation.ts';

/**
 * What a token payload asks for, also of a transaction whose operation is invalid for another reason: for lists of
 * operations, never for state. Undefined where there is no one payload that can be decoded.
 */
export function describeTokenPayload(
  outputs: readonly TxOutput[],
  { marker }: Pick<TokenRules, 'marker'>,
): TokenOperation | undefined {
  const found = findPayload(outputs, marker);
  if (found.kind !== 'one') return undefined;
  const decoded = decodeTokenOperation(found.payload);
  return decoded.ok ? decoded.operation : undefined;
}
