/** Rows of the scripts that the ledger covers, beside that of the treasury's address. */

import { getHexBytes } from '@coinfront/protocol/bytes.ts';
import type { TreasuryProfile } from '@coinfront/protocol/profile.ts';
import type { TreasuryQuery } from '../schema/treasury-tables.ts';

/** The scripts, hex, in the order in which the ledger came to cover them. */
export async function listScripts(db: TreasuryQuery): Promise<string[]> {
  const rows = await db
    .selectFrom('treasury_script')
    .select('script')
    .orderBy('added_at')
    .orderBy('script')
    .execute();
  return rows.map(({ script }) => script);
}

/** Adds scripts; what is there stays. */
export async function insertScripts(
  db: TreasuryQuery,
  scripts: readonly string[],
  nowMs: number,
): Promise<void> {
  if (scripts.length === 0) return;
  await db
    .insertInto('treasury_script')
    .values(scripts.map((script) => ({ script, added_at: nowMs })))
    .onConflict((conflict) => conflict.column('script').doNothing())
    .execute();
}

/** All scripts that the ledger covers, that of the treasury's address first. */
export async function listCovered(
  db: TreasuryQuery,
  { script }: Pick<TreasuryProfile, 'script'>,
): Promise<Uint8Array[]> {
  return [script, ...(await listScripts(db)).map(getHexBytes)];
}
