/** A look at a database without changing anything in it, not even its schema. */

import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type pg from 'pg';
import type { DatabaseLocation } from './database.ts';
import { createServers } from './postgres-servers.ts';

/** Reads rows by a statement without parameters. */
export type ReadRows = (text: string) => Promise<Record<string, unknown>[]>;

const CONNECT_TIMEOUT_MS = 10_000;

/**
 * Reads what is there.
 *
 * @param schema of PostgreSQL whose tables are meant
 * @returns undefined where there is no file yet
 */
export async function lookAt<T>(
  location: DatabaseLocation,
  schema: string,
  look: (rows: ReadRows) => Promise<T>,
): Promise<T | undefined> {
  if (location.kind === 'postgres')
    return await withClient(location.url, async (client) => {
      await client.query('set default_transaction_read_only = on');
      await client.query(`set search_path = ${schema}`);
      return await look(async (text) => (await client.query(text)).rows);
    });
  if (!existsSync(location.file)) return undefined;
  const database = new DatabaseSync(location.file, { readOnly: true });
  try {
    return await look(async (text) => database.prepare(text).all());
  } finally {
    database.close();
  }
}

/**
 * A connection of its own for `work`, to the primary.
 *
 * @param urls one address, or several with commas between them
 */
export async function withClient<T>(
  urls: string,
  work: (client: pg.Client, url: string) => Promise<T>,
): Promise<T> {
  const servers = createServers(urls);
  const client = await servers.connect({ connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  try {
    return await work(client, servers.urlOf(client));
  } finally {
    await client.end().catch(() => {});
  }
}
