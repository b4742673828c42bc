import { join } from 'node:path';
import type { Config } from '../config.ts';
import type { DatabaseLocation } from '../db/database.ts';

/** Where the index is. By itself, because the indexer is told before anything that opens a database is loaded. */
export function locateIndex({
  databaseUrl,
  dataDir,
  index,
}: Pick<Config, 'databaseUrl' | 'dataDir' | 'index'>): DatabaseLocation {
  return databaseUrl
    ? { kind: 'postgres', url: index ?? databaseUrl }
    : { kind: 'sqlite', file: join(index ?? dataDir, 'chain.db') };
}

/** Where the precious data are. */
export function locatePrecious({
  databaseUrl,
  dataDir,
}: Pick<Config, 'databaseUrl' | 'dataDir'>): DatabaseLocation {
  return databaseUrl
    ? { kind: 'postgres', url: databaseUrl }
    : { kind: 'sqlite', file: join(dataDir, 'front.db') };
}
