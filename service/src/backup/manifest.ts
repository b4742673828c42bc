/** What a backup says of itself: which chain it is of, what made it, and the hash of each of its files. */

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fail, ok, type Result } from '@coinfront/protocol/result.ts';
import { serviceVersion } from '../version.ts';

export const MANIFEST = 'manifest.json';
/** Raised when a program of before could not restore what one of now makes. */
const FORMAT = 1;

/** A file of a backup; `sha256` in hex. */
export type BackedUpFile = { name: string; bytes: number; sha256: string };

/** What is told of a backup. */
export type Manifest = {
  format: number;
  /** Version of the program that made it. */
  made_by: string;
  /** UTC; nothing that was committed later is in it. */
  taken_at: string;
  engine: 'sqlite' | 'postgres';
  /** Id of the coin profile, for people; what counts is the genesis block. */
  coin: string;
  genesis: string;
  /** Steps of the schema that its database has, in their order. */
  schema: string[];
  /** Rows of the tables that people ask for. */
  rows: Record<string, number>;
  files: BackedUpFile[];
};

/** Hashes a file of a folder. */
export async function describeFile(folder: string, name: string): Promise<BackedUpFile> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(join(folder, name))) hash.update(chunk as Buffer);
  const { size } = await stat(join(folder, name));
  return { name, bytes: size, sha256: hash.digest('hex') };
}

/** The text of `manifest.json`: it is the last file of a backup, and has a digest of its own. */
export function writeManifest(manifest: Omit<Manifest, 'format' | 'made_by'>): string {
  const whole: Manifest = { format: FORMAT, made_by: serviceVersion, ...manifest };
  return `${JSON.stringify({ ...whole, digest: digestOf(whole) }, null, 2)}\n`;
}

/** Reads the manifest of a folder; a reason says why it is no backup, or none for this program. */
export async function readManifest(folder: string): Promise<Result<Manifest>> {
  const text = await readFile(join(folder, MANIFEST), 'utf8').catch(() => undefined);
  if (text === undefined) return fail(`${folder} is no backup: there is no ${MANIFEST} in it.`);
  const damaged = fail(`The backup is damaged: ${MANIFEST} is not what was written.`);
  let given: Manifest & { digest: unknown };
  try {
    given = JSON.parse(text);
  } catch {
    return damaged;
  }
  if (typeof given !== 'object' || given === null) return damaged;
  const { digest, ...manifest } = given;
  if (typeof manifest.format === 'number' && manifest.format > FORMAT)
    return fail(
      `The backup was made by a newer version of Coinfront (${manifest.made_by}); restore it with that.`,
    );
  return digest === digestOf(manifest) ? ok(manifest) : damaged;
}

/** What is wrong with the files of a backup; undefined when each is what was written. */
export async function findChangedFile(folder: string, { files }: Manifest): Promise<string | undefined> {
  for (const file of files) {
    const found = await describeFile(folder, file.name).catch(() => undefined);
    if (found === undefined) return `The backup is damaged: ${file.name} is missing.`;
    if (found.sha256 !== file.sha256) return `The backup is damaged: ${file.name} is not what was written.`;
  }
  return undefined;
}

function digestOf(manifest: object): string {
  return createHash('sha256').update(JSON.stringify(manifest)).digest('hex');
}
