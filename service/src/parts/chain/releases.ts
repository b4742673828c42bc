/** The operator's manifest of software releases: a JSON file, validated, and read again when it changes. */

import { open } from 'node:fs/promises';
import { type Release, ReleaseManifest } from '@coinfront/api/chain-releases.ts';
import { describeFirstFault } from '@coinfront/protocol/schema-faults.ts';
import type { Static } from 'typebox';
import { Compile } from 'typebox/compile';

/** What is published. */
export type ReleaseState = {
  configured: boolean;
  /** When the file was last changed, milliseconds since 1970. */
  changedAtMs: number | undefined;
  items: Static<typeof Release>[];
};

const maxBytes = 4 * 1024 * 1024;
/** The file is looked at once in this time at most. */
const recheckMs = 2_000;

const manifest = Compile(ReleaseManifest);

/**
 * Creates the reader; without a file nothing is configured.
 *
 * A file that is missing or malformed when it is looked at again does not replace a good one: `onProblem` is told
 * once, and what was good stays. Before there was a good one, the list is empty.
 */
export function createReleaseReader(
  file: string | undefined,
  onProblem: (message: string) => void,
): () => Promise<ReleaseState> {
  let state: ReleaseState = { configured: file !== undefined, changedAtMs: undefined, items: [] };
  let checkedAtMs = Number.NEGATIVE_INFINITY;
  let seen = '';
  let reading: Promise<void> | undefined;

  async function look(path: string): Promise<void> {
    try {
      const handle = await open(path, 'r');
      try {
        const { size, mtimeMs, ino } = await handle.stat();
        const stamp = `${size} ${mtimeMs} ${ino}`;
        if (stamp === seen) return;
        seen = stamp;
        if (size > maxBytes) throw new Error(`it has ${size} bytes, ${maxBytes} are accepted`);
        const items = parseManifest(await handle.readFile('utf8'));
        state = { configured: true, changedAtMs: mtimeMs, items };
      } finally {
        await handle.close();
      }
    } catch (error) {
      const message = `The releases manifest is not used: ${(error as Error).message}`;
      if (seen !== message) onProblem(message);
      if ((error as NodeJS.ErrnoException).code !== undefined) seen = message;
    }
  }

  return async () => {
    if (file === undefined || performance.now() - checkedAtMs < recheckMs) return state;
    reading ??= look(file).finally(() => {
      checkedAtMs = performance.now();
      reading = undefined;
    });
    await reading;
    return state;
  };
}

/**
 * Reads a manifest.
 *
 * @throws Error that says which field is wrong
 */
export function parseManifest(text: string): Static<typeof Release>[] {
  const json: unknown = JSON.parse(text);
  if (manifest.Check(json)) return json.items;
  throw new Error(describeFirstFault(ReleaseManifest, json, manifest.Errors(json), 'the document'));
}
