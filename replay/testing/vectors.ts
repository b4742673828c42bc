import { readFileSync } from 'node:fs';
import { Invalid } from '../carrier.ts';

/** The repository's folder. */
const root = new URL('../../', import.meta.url);

/** A file of `docs/protocols/vectors`. */
// biome-ignore lint/suspicious/noExplicitAny: vectors are of many shapes
export function readVectors(name: string): any {
  return readJson(`docs/protocols/vectors/${name}.json`);
}

/** A shipped coin profile. */
// biome-ignore lint/suspicious/noExplicitAny: as above
export function readProfile(name: string): any {
  return readJson(`protocol/profiles/${name}.json`);
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(new URL(path, root), 'utf8'));
}

/** Why an operation is invalid; undefined where it is not. */
export function findReason(judge: () => unknown): string | undefined {
  try {
    judge();
    return undefined;
  } catch (error) {
    if (!(error instanceof Invalid)) throw error;
    return error.reason;
  }
}
