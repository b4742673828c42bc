import { getShippedProfile } from '@coinfront/protocol/shipped-profiles.ts';
import { type Kysely, sql } from 'kysely';
import type { Precious } from '../../service/src/db/precious.ts';
import { sealEntries } from '../../service/src/parts/treasury/ledger/seal-entries.ts';
import type { TreasuryTables } from '../../service/src/parts/treasury/schema/treasury-tables.ts';
import { openServiceKey } from '../../service/src/signing/service-key.ts';

/** Somebody who has the database, and takes from it what keeps rows of history as they are. */
export async function unlockHistory(
  precious: Precious,
  table: 'treasury_entry' | 'treasury_seal' | 'registry_receipt',
): Promise<Kysely<TreasuryTables>> {
  const db = precious.query<TreasuryTables>();
  const statements =
    precious.engine === 'sqlite'
      ? ['update', 'delete'].map((verb) => `drop trigger if exists ${table}_no_${verb}`)
      : [`drop trigger if exists ${table}_append_only on ${table}`];
  for (const statement of statements) await sql.raw(statement).execute(db);
  return db;
}

/** Moves what a contributor has been credited with for a transaction to another, in entry, coin and standings. */
export async function moveGift(
  db: Kysely<TreasuryTables>,
  { txid, to }: { txid: string; to: string },
): Promise<void> {
  const change = { contributor_id: to };
  const coin = await db
    .selectFrom('treasury_coin')
    .selectAll()
    .where('txid', '=', txid)
    .executeTakeFirstOrThrow();
  await db.updateTable('treasury_entry').set(change).where('sequence', '=', coin.sequence).execute();
  await db.updateTable('treasury_coin').set(change).where('txid', '=', txid).execute();
  await db
    .updateTable('treasury_standing')
    .set(change)
    .where('contributor_id', '=', coin.contributor_id!)
    .execute();
}

/** Takes all seals away, and makes new ones where a key is given, as somebody can who has it. */
export async function reseal(precious: Precious, keyFile: string | undefined): Promise<void> {
  const db = await unlockHistory(precious, 'treasury_seal');
  await db.deleteFrom('treasury_seal').execute();
  if (keyFile !== undefined)
    await sealEntries(db, { signer: openServiceKey(keyFile), ...getShippedProfile('regtest') });
}
