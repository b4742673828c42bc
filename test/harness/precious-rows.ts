import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { openPrecious, type Precious } from '../../service/src/db/precious.ts';
import { preciousMigrations } from '../../service/src/migrations.ts';
import type { PaymentTables } from '../../service/src/parts/payments/schema/payment-tables.ts';
import type { DatabaseLocation } from './engines.ts';

const tables = [
  'merchant',
  'api_key',
  'webhook_secret',
  'payment',
  'payment_output',
  'event',
  'delivery',
  'pool_address',
  'idempotency',
] as const satisfies readonly (keyof PaymentTables)[];

/** Opens the precious data of a service beside it. */
export function openBeside(database: DatabaseLocation): Promise<Precious> {
  return openPrecious(
    database.kind === 'sqlite' ? { kind: 'sqlite', file: join(database.dataDir, 'front.db') } : database,
    preciousMigrations,
  );
}

/** Rows of each table: what was stored. */
export async function countRows(precious: Precious): Promise<Record<string, number>> {
  const query: Kysely<PaymentTables> = precious.query();
  const counts: Record<string, number> = {};
  for (const table of tables) {
    const { count } = await query
      .selectFrom(table)
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    counts[table] = count;
  }
  return counts;
}
