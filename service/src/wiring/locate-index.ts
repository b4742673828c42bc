import { join } from 'node:path';
import type { Config } from '../config.ts';
import type { DatabaseLocation } from '../db/database.ts';

/** Where the index is. By itself, because the indexer is told before anything that opens a database is loaded. */
export function locateIndex({ databaseUrl, dataDir }: Config): DatabaseLocation {
  return databaseUrl
    ? { kind: 'postgres', url: databaseUrl }
    : { kind: 'sqlite', file: join(dataDir, 'chain.db') };
}
