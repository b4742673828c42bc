import { findPayload } from '../carrier.ts';
import type { NameRules } from '../profile.ts';
import type { Transaction } from '../transaction.ts';
import { decodeNameOperation, listLaterKinds, type NameOperation } from './name-operation.ts';
import { parseName } from './name-syntax.ts';

/** What a transaction says it wants of the registry, judged by nothing but its form. */
export type NamePayloadFacts = {
  kind: NameOperation['kind'];
  /** Undefined for a commit, for the removal of a reverse record, and where the syntax is not that of a name. */
  name: string | undefined;
  /** Of a commit; a register's needs its sender. */
  commitment: Uint8Array | undefined;
};

/**
 * Reads what a name payload asks for, also of a transaction whose operation is invalid for another reason: for lists of
 * operations, never for state. Undefined where there is no one payload that can be decoded in a block of the height.
 */
export function describeNamePayload(
  tx: Transaction,
  rules: NameRules,
  height: number,
): NamePayloadFacts | undefined {
  const found = findPayload(tx.outputs, rules.marker);
  if (found.kind !== 'one') return undefined;
  const decoded = decodeNameOperation(found.payload, listLaterKinds(rules, height));
  if (!decoded.ok) return undefined;
  const { operation } = decoded;
  if (operation.kind === 'commit') {
    return { kind: 'commit', name: undefined, commitment: operation.commitment };
  }
  const isName = parseName(operation.name, rules).ok;
  return { kind: operation.kind, name: isName ? operation.name : undefined, commitment: undefined };
}
