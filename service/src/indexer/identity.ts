import { createHash } from 'node:crypto';
import { LAYOUT_VERSION } from './layout.ts';
import type { IndexerPart } from './parts/part.ts';

/** Names all that the rows of an index depend on beside the chain: where it differs, they are made anew. */
export function identifyIndex(genesisHash: string, parts: readonly IndexerPart[]): string {
  const names = parts.map(({ name, version, rules }) =>
    rules === undefined ? `${name}:${version}` : `${name}:${version}:${digestOf(rules)}`,
  );
  return [genesisHash, LAYOUT_VERSION, ...names].join(' ');
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
