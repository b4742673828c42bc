import {
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import {
  decodeDirectory,
  directoryLength,
  END_BYTES,
  type Section,
  SLOT_BYTES,
} from '../../service/src/indexer/runs/run-file-format.ts';
import { SEGMENT_PREFIX } from '../../service/src/indexer/tx-log/write-tx-log.ts';

const isSegment = (name: string): boolean => name.startsWith(SEGMENT_PREFIX);

/** What a disk does to a file that it does not keep well. */
export type Damage = (file: string) => void;

/** Overwrites all pages of a table, or of an index, of an SQLite file. */
export function damagePagesOf(name: string): Damage {
  return (file) => {
    const database = new DatabaseSync(file, { readOnly: true });
    const { page_size: size } = database.prepare('pragma page_size').get() as { page_size: number };
    const pages = database.prepare('select pageno from dbstat where name = ?').all(name) as {
      pageno: number;
    }[];
    database.close();
    if (pages.length === 0) throw new Error(`${file} has no pages of ${name}.`);
    for (const { pageno } of pages) overwrite(file, (pageno - 1) * size, size);
  };
}

/** Overwrites what is in the files of the runs of a file: all pages of a section, or a filter. */
export function damageRuns(section: number, what: 'pages' | 'filter'): Damage {
  return (file) => {
    let damaged = 0;
    for (const name of readdirSync(`${file}-runs`)) {
      if (isSegment(name)) continue;
      const path = join(`${file}-runs`, name);
      const { at, pages, filterAt, filterBytes } = readSection(path, section);
      const range = what === 'pages' ? [at, pages * SLOT_BYTES] : [filterAt, filterBytes];
      overwrite(path, range[0]!, range[1]!);
      damaged += range[1]!;
    }
    if (damaged === 0) throw new Error(`${file} has no runs with ${what} of the section ${section}.`);
  };
}

/** Overwrites one page of a section of a run's file. @returns a function that puts it back */
export function damageRunPage(path: string, section: number, page: number): () => void {
  const at = readSection(path, section).at + page * SLOT_BYTES;
  const before = readFileSync(path).subarray(at, at + SLOT_BYTES);
  overwrite(path, at, SLOT_BYTES);
  return () => write(path, at, before);
}

/** Cuts the end of all files of runs off. */
export const cutRuns: Damage = (file) => {
  for (const name of readdirSync(`${file}-runs`)) if (!isSegment(name)) cutInHalf(join(`${file}-runs`, name));
};

/** Does something to each file of the raw transactions. */
export function damageTxs(how: 'overwrite' | 'cut' | 'remove'): Damage {
  return (file) => {
    const segments = readdirSync(`${file}-runs`).filter(isSegment);
    if (segments.length === 0) throw new Error(`${file} has no files of transactions.`);
    for (const name of segments) {
      const path = join(`${file}-runs`, name);
      if (how === 'overwrite') overwrite(path, 0, statSync(path).size);
      if (how === 'cut') cutInHalf(path);
      if (how === 'remove') rmSync(path);
    }
  };
}

/** Removes all files of runs. */
export const removeRuns: Damage = (file) => rmSync(`${file}-runs`, { recursive: true });

/** How many pages a section of a run's file has. */
export function countRunPages(path: string, section: number): number {
  return readSection(path, section).pages;
}

function readSection(path: string, section: number): Section {
  const bytes = readFileSync(path);
  const end = bytes.subarray(-END_BYTES);
  const length = directoryLength(end)!;
  return decodeDirectory(bytes.subarray(-END_BYTES - length, -END_BYTES), end)!.sections[section]!;
}

/** Overwrites the header, by which SQLite knows its files. */
export const damageHeader: Damage = (file) => overwrite(file, 0, 100);

/** Cuts the second half off. */
export const cutInHalf: Damage = (file) => truncateSync(file, Math.floor(statSync(file).size / 2));

function overwrite(file: string, at: number, length: number): void {
  write(file, at, Buffer.alloc(length, 0xa5));
}

function write(file: string, at: number, bytes: Uint8Array): void {
  const descriptor = openSync(file, 'r+');
  try {
    writeSync(descriptor, bytes, 0, bytes.length, at);
  } finally {
    closeSync(descriptor);
  }
}
