import { clientMigrations } from './clients/client-tables.ts';
import type { Migrations } from './db/precious.ts';
import { historyMigrations } from './parts/chain/mempool-history/sample-store.ts';
import { richListMigrations } from './parts/chain/rich-list/rich-list-store.ts';
import { miningHistoryMigrations } from './parts/mining/history/mining-tables.ts';
import { miningMigrations } from './parts/mining/seen-block-store.ts';
import { nameDocumentMigrations } from './parts/names/records/record-tables.ts';
import { paymentMigrations } from './parts/payments/schema/payment-migrations.ts';
import { proofMigrations } from './parts/proofs/anchor-store.ts';
import { calendarMigrations } from './parts/proofs/calendar/calendar-tables.ts';
import { registryMigrations } from './parts/registry/schema/registry-migrations.ts';
import { tokenMetadataMigrations } from './parts/tokens/metadata/metadata-tables.ts';
import { treasuryMigrations } from './parts/treasury/schema/treasury-migrations.ts';
import { signedLogMigrations } from './signed-log/log-tables.ts';

/** Every step of the precious database's schema, of all parts: whoever opens it brings it up to date. */
export const preciousMigrations: Migrations = {
  ...paymentMigrations,
  ...proofMigrations,
  ...tokenMetadataMigrations,
  ...miningMigrations,
  ...treasuryMigrations,
  ...registryMigrations,
  ...clientMigrations,
  ...signedLogMigrations,
  ...historyMigrations,
  ...miningHistoryMigrations,
  ...calendarMigrations,
  ...richListMigrations,
  ...nameDocumentMigrations,
};
