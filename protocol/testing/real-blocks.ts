import { existsSync, readFileSync } from 'node:fs';

/** A mainnet block of the shared vectors: its raw bytes in hex and what its own node says about it. */
export type RealBlock = {
  hash: string;
  height: number;
  merkleroot: string;
  tx: string[];
  bits: string;
  block: string;
};

const FOLDER = new URL('../../../shared/vectors/blocks/', import.meta.url);

/** What a test says when it is skipped for want of the shared vectors. */
export const MISSING_VECTORS =
  'skipped: the shared vectors (../shared/vectors/blocks) are not beside this checkout';

/** A block of the shared vectors; undefined where that folder is not there. */
export function findRealBlock(name: string): RealBlock | undefined {
  const file = new URL(`${name}.json`, FOLDER);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as RealBlock) : undefined;
}
