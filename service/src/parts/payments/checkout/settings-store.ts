/** Rows of how merchants have their checkout page set up. */

import type { Precious } from '../../../db/precious.ts';
import { sql } from '../../../db/statement.ts';
import { findShownName } from '../merchants/merchant-name.ts';
import type { PaymentQuery } from '../payment-context.ts';
import type { MerchantCheckoutTable } from '../schema/checkout-tables.ts';
import type { Mark, Shop } from './checkout-view.ts';
import type { CheckoutSettings } from './settings-rules.ts';

type Row = Omit<MerchantCheckoutTable, 'embed_origins'> & {
  embed_origins: string | null;
  merchant_name: string;
};

const FIND = sql<Row>(`
  select m.name as merchant_name, c.name, c.mark, c.mark_kind, c.mark_width, c.mark_height, c.embed_origins
  from merchant m left join merchant_checkout c on c.merchant_id = m.id where m.id = $1`);

/** What a merchant has set up, or nothing of it. */
export async function findSettings(
  precious: Pick<Precious, 'read'>,
  merchantId: string,
): Promise<CheckoutSettings> {
  return toSettings(await findRow(precious, merchantId));
}

/** The shop of a merchant as payers see it; `otherwise` is its name where it has none that can be shown. */
export async function findShop(
  precious: Pick<Precious, 'read'>,
  merchantId: string,
  otherwise: string,
): Promise<Shop> {
  const row = await findRow(precious, merchantId);
  const { name, mark, embedOrigins } = toSettings(row);
  return {
    name: name ?? findShownName(row?.merchant_name ?? '') ?? otherwise,
    mark: mark ?? undefined,
    embedOrigins,
  };
}

/** Puts settings in the place of those that were there. */
export async function putSettings(
  query: PaymentQuery,
  merchantId: string,
  { name, mark, embedOrigins }: CheckoutSettings,
  nowMs: number,
): Promise<void> {
  const row = {
    name,
    mark: mark?.base64 ?? null,
    mark_kind: mark?.kind ?? null,
    mark_width: mark?.width ?? null,
    mark_height: mark?.height ?? null,
    embed_origins: JSON.stringify(embedOrigins),
    updated_at: nowMs,
  };
  await query
    .insertInto('merchant_checkout')
    .values({ merchant_id: merchantId, ...row })
    .onConflict((conflict) => conflict.column('merchant_id').doUpdateSet(row))
    .execute();
}

async function findRow(precious: Pick<Precious, 'read'>, merchantId: string): Promise<Row | undefined> {
  return (await precious.read(FIND, [merchantId]))[0];
}

function toSettings(row: Row | undefined): CheckoutSettings {
  return {
    name: row?.name ?? null,
    mark: readMark(row),
    embedOrigins: JSON.parse(row?.embed_origins ?? '[]'),
  };
}

function readMark(row: Row | undefined): Mark | null {
  if (row === undefined || row.mark === null || row.mark_kind === null) return null;
  return {
    kind: row.mark_kind,
    base64: row.mark,
    width: row.mark_width ?? 0,
    height: row.mark_height ?? 0,
  };
}
