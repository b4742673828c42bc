import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ServiceStorage } from './service-process.ts';

/** The engine under measurement. */
export type Engine = 'sqlite' | 'postgres';

/** Gives empty places for an index, and clears everything away at the end. */
export type StorageMaker = {
  open(): Promise<ServiceStorage & { drop(): Promise<void> }>;
  close(): Promise<void>;
};

/**
 * Prepares storage of an engine: temporary folders, or databases of a temporary PostgreSQL cluster, which has the settings that
 * the server comes with: what is measured is on the disk as it is for operators.
 *
 * @param options.parent where folders are made; databases are in the system's place for temporary files
 * @param options.serverSettings of PostgreSQL, by name, that differ from those
 */
export async function createStorageMaker(
  engine: Engine,
  {
    parent = tmpdir(),
    serverSettings = {},
  }: { parent?: string; serverSettings?: Record<string, string> } = {},
): Promise<StorageMaker> {
  const openFolder = async (): Promise<{ dataDir: string; drop: () => Promise<void> }> => {
    const dataDir = await mkdtemp(join(parent, 'coinfront-bench-index-'));
    return { dataDir, drop: () => rm(dataDir, { recursive: true, force: true }) };
  };
  if (engine === 'sqlite') return { open: openFolder, close: async () => {} };

  const { startPostgres } = await import('../test/harness/postgres.ts');
  const cluster = await startPostgres({ settings: serverSettings });
  return {
    open: async () => ({ ...(await openFolder()), databaseUrl: await cluster.createDatabase() }),
    close: cluster.stop,
  };
}
