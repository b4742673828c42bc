import { closeSync, openSync, statSync, truncateSync, writeSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

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

/** Overwrites the header, by which SQLite knows its files. */
export const damageHeader: Damage = (file) => overwrite(file, 0, 100);

/** Cuts the second half off. */
export const cutInHalf: Damage = (file) => truncateSync(file, Math.floor(statSync(file).size / 2));

function overwrite(file: string, at: number, length: number): void {
  const descriptor = openSync(file, 'r+');
  try {
    writeSync(descriptor, Buffer.alloc(length, 0xa5), 0, length, at);
  } finally {
    closeSync(descriptor);
  }
}
