/** Taking addresses out of pools: what was never leased can go; what was belongs to its payment for good. */

import type { PoolRemovalJson, PoolRemovalResultJson, RemovalRefusal } from '@coinfront/api/merchants.ts';
import type { CoinProfile } from '@coinfront/protocol/profile.ts';
import type { Precious } from '../../../db/precious.ts';
import { isIn } from '../chain/is-in.ts';
import type { PaymentQuery } from '../payment-context.ts';
import { listPaidScripts } from '../requests/payment-store.ts';
import type { PaymentTables, PoolAddressTable } from '../schema/payment-tables.ts';
import { parsePayableAddress } from './parse-recipient.ts';
import { addToPool, holdPoolsAlone } from './pool-store.ts';

const refusalTexts: Readonly<Record<RemovalRefusal, string>> = {
  not_in_pool: 'It is not in your pool.',
  was_leased: 'A payment has, or had, it; it is never leased again.',
};

/** Takes addresses out of a merchant's pool; each gets its answer, in their order. */
export async function removeAddresses(
  precious: Precious,
  profile: CoinProfile,
  merchantId: string,
  { addresses }: PoolRemovalJson,
): Promise<PoolRemovalResultJson> {
  const asked = addresses.map((text) => {
    const parsed = parsePayableAddress(text, profile);
    return parsed.ok ? parsed.value : { address: text, scriptHash: undefined };
  });
  const scripts = [...new Set(asked.flatMap(({ scriptHash }) => scriptHash ?? []))];
  const { removed, left } = await precious.transaction<PaymentTables, Removal>(async (trx) => {
    await holdPoolsAlone(trx, precious.engine);
    return await removeReady(trx, precious.engine, merchantId, scripts);
  });
  const results = asked.map(({ address, scriptHash }) => {
    if (scriptHash !== undefined && removed.has(scriptHash))
      return { address, result: 'removed' as const, code: null, detail: null };
    const code = scriptHash !== undefined && left.has(scriptHash) ? 'was_leased' : 'not_in_pool';
    return { address, result: 'refused' as const, code, detail: refusalTexts[code] } as const;
  });
  return { removed: removed.size, results };
}

/** Scripts that were removed, and those that are in the pool and stay there. */
type Removal = { removed: Set<string>; left: Set<string> };

async function removeReady(
  trx: PaymentQuery,
  engine: Precious['engine'],
  merchantId: string,
  scriptHashes: readonly string[],
): Promise<Removal> {
  if (scriptHashes.length === 0) return { removed: new Set(), left: new Set() };
  const removed = await trx
    .deleteFrom('pool_address')
    .where(isIn(engine, 'script_hash', scriptHashes))
    .where('merchant_id', '=', merchantId)
    .where('state', '=', 'ready')
    .returning('script_hash')
    .execute();
  const left = await trx
    .selectFrom('pool_address')
    .select('script_hash')
    .where(isIn(engine, 'script_hash', scriptHashes))
    .where('merchant_id', '=', merchantId)
    .execute();
  const toSet = (rows: readonly { script_hash: string }[]) => new Set(rows.map((row) => row.script_hash));
  return { removed: toSet(removed), left: toSet(left) };
}

/** What became of an address that the operator takes out of a pool, or moves to another. */
export type Released =
  | { kind: 'released'; from: string }
  | { kind: 'unknown' }
  | { kind: 'leased'; row: PoolAddressTable }
  | { kind: 'no_merchant' }
  /** The merchant that it was to go to had it in a payment. */
  | { kind: 'used' };

/**
 * Takes an address that was never leased out of the pool that has it, for its owner to import.
 *
 * @param toMerchantId puts it into this merchant's pool instead
 */
export async function releaseAddress(
  precious: Precious,
  address: string,
  toMerchantId: string | undefined,
  nowMs: number,
): Promise<Released> {
  return await precious.transaction<PaymentTables, Released>(async (trx) => {
    await holdPoolsAlone(trx, precious.engine);
    const row = await findByAddress(trx, address);
    if (row === undefined) return { kind: 'unknown' };
    if (row.state !== 'ready') return { kind: 'leased', row };
    if (toMerchantId !== undefined) {
      if (!(await isMerchant(trx, toMerchantId))) return { kind: 'no_merchant' };
      const used = await listPaidScripts(trx, toMerchantId, [row.script_hash]);
      if (used.size > 0) return { kind: 'used' };
    }
    await trx.deleteFrom('pool_address').where('script_hash', '=', row.script_hash).execute();
    if (toMerchantId !== undefined) {
      const moved = { address: row.address, scriptHash: row.script_hash, path: row.path };
      await addToPool(trx, toMerchantId, [moved], nowMs);
    }
    return { kind: 'released', from: row.merchant_id };
  });
}

/** By its text, which no index has: an operator asks rarely. Bech32 may be written in capitals. */
async function findByAddress(trx: PaymentQuery, address: string): Promise<PoolAddressTable | undefined> {
  return await trx
    .selectFrom('pool_address')
    .selectAll()
    .where('address', 'in', [address, address.toLowerCase()])
    .executeTakeFirst();
}

async function isMerchant(trx: PaymentQuery, id: string): Promise<boolean> {
  return (
    (await trx.selectFrom('merchant').select('id').where('id', '=', id).executeTakeFirst()) !== undefined
  );
}
