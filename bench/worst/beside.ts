import { join } from 'node:path';
import { openPrecious, type Precious } from '../../service/src/db/precious.ts';
import { preciousMigrations } from '../../service/src/migrations.ts';
import type { ServiceStorage } from '../service-process.ts';

/** Does something with the precious database, before the service has it or beside it, as the operator's commands do. */
export async function withPrecious<T>(
  { dataDir, databaseUrl }: ServiceStorage,
  use: (precious: Precious) => Promise<T>,
): Promise<T> {
  const precious = await openPrecious(
    databaseUrl === undefined
      ? { kind: 'sqlite', file: join(dataDir, 'front.db') }
      : { kind: 'postgres', url: databaseUrl },
    preciousMigrations,
  );
  try {
    return await use(precious);
  } finally {
    await precious.close();
  }
}
