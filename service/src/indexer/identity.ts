import { LAYOUT_VERSION } from './layout.ts';
import type { IndexerPart } from './part.ts';

/** Names all that the rows of an index depend on beside the chain: where it differs, they are made anew. */
export function identifyIndex(genesisHash: string, parts: readonly IndexerPart[]): string {
  return [genesisHash, LAYOUT_VERSION, ...parts.map(({ name, version }) => `${name}:${version}`)].join(' ');
}
