import { randomBytes } from 'node:crypto';
import type { Precious } from '../db/precious.ts';
import type { ClientTables } from './client-tables.ts';

const KEY_BYTES = 16;

/** A random key that all processes of one service have in common, by its name; made when it is not there. */
export async function findSharedKey(precious: Precious, name: string): Promise<Uint8Array> {
  const key = await precious.transaction<ClientTables, string>(async (trx) => {
    await trx
      .insertInto('shared_key')
      .values({ name, key: randomBytes(KEY_BYTES).toString('hex') })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .execute();
    const row = await trx
      .selectFrom('shared_key')
      .select('key')
      .where('name', '=', name)
      .executeTakeFirstOrThrow();
    return row.key;
  });
  return Buffer.from(key, 'hex');
}
