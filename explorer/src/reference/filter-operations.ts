import type { PlacedOperation } from '../data/open-api.ts';

/** Operations by their tags. */
export type OperationGroups = readonly (readonly [tag: string, operations: readonly PlacedOperation[]])[];

/** The operations that have every word of a filter in their path, method, name, tag, summary or parameters. */
export function filterOperations(groups: OperationGroups, filter: string): OperationGroups {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return groups;
  return groups
    .map(([tag, operations]) => [tag, operations.filter((each) => hasWords(tag, each, words))] as const)
    .filter(([, operations]) => operations.length > 0);
}

function hasWords(
  tag: string,
  { method, path, operation }: PlacedOperation,
  words: readonly string[],
): boolean {
  const parameters = (operation.parameters ?? []).map(({ name }) => name);
  const text = [tag, method, path, operation.operationId, operation.summary, ...parameters]
    .join(' ')
    .toLowerCase();
  return words.every((word) => text.includes(word));
}
