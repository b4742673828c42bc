/** Keys that were granted to an application, with the permissions that it asked for: it may do these, whatever the key's scope. */

import type { Precious } from '../../../db/precious.ts';
import { sql } from '../../../db/statement.ts';
import type { ApiKeyTable, PaymentTables } from '../schema/payment-tables.ts';
import type { Permission } from './permission-rules.ts';

const FIND_GRANT = sql<{ permissions: string }>('select permissions from btcpay_grant where key_hash = $1');

/** What was granted with a key, by the key's hash; undefined when it was made in another way. */
export async function findGrant(precious: Precious, keyHash: string): Promise<Permission[] | undefined> {
  const [row] = await precious.read(FIND_GRANT, [keyHash]);
  return row && (JSON.parse(row.permissions) as Permission[]);
}

/** Remembers what is granted with a key, and forgets what was with keys of the merchant that are there no more. */
export async function insertGrant(
  precious: Precious,
  { hash, merchant_id }: Pick<ApiKeyTable, 'hash' | 'merchant_id'>,
  permissions: readonly Permission[],
): Promise<void> {
  await precious.transaction<PaymentTables, void>(async (trx) => {
    await trx
      .deleteFrom('btcpay_grant')
      .where('merchant_id', '=', merchant_id)
      .where('key_hash', 'not in', (row) =>
        row.selectFrom('api_key').select('hash').where('merchant_id', '=', merchant_id),
      )
      .execute();
    await trx
      .insertInto('btcpay_grant')
      .values({ key_hash: hash, merchant_id, permissions: JSON.stringify(permissions) })
      .execute();
  });
}
