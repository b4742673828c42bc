/** The latest list of the richest, one row: it follows from the chain, but takes a while to be made. */

import { bytesToHex, getHexBytes } from '@coinfront/protocol/bytes.ts';
import { type Kysely, sql as raw } from 'kysely';
import type { Migrations, Precious } from '../../../db/precious.ts';
import { sql } from '../../../db/statement.ts';
import type { BalanceBand, RichList, RichScript } from './rank-balances.ts';

/** The one row; `body` is JSON. */
export type RichListTable = { id: number; height: number; hash: string; made_at_ms: number; body: string };
export type RichListTables = { rich_list: RichListTable };

/** The schema. */
export const richListMigrations: Migrations = {
  '0037_rich_list': async (db: Kysely<unknown>) => {
    await raw
      .raw(
        `create table rich_list (
          id bigint not null primary key, height bigint not null, hash text not null, made_at_ms bigint not null, body text not null)`,
      )
      .execute(db);
  },
};

const ROW = 1;
const NAME = sql<Pick<RichListTable, 'height' | 'hash' | 'made_at_ms'>>(
  'select height, hash, made_at_ms from rich_list where id = 1',
);
const GET = sql<RichListTable>('select id, height, hash, made_at_ms, body from rich_list where id = 1');

type Body = {
  scripts: number;
  balance: string;
  bands: (Omit<BalanceBand, 'balance'> & { balance: string })[];
  richest: (Omit<RichScript, 'balance'> & { balance: string })[];
};

/** Replaces the list. */
export async function keepRichList(precious: Precious, list: RichList): Promise<void> {
  const { height, hash, madeAtMs, scripts, balance, bands, richest } = list;
  const text = <T extends { balance: bigint }>(each: T) => ({ ...each, balance: String(each.balance) });
  const body: Body = {
    scripts,
    balance: String(balance),
    bands: bands.map(text),
    richest: richest.map(text),
  };
  const row = { height, hash: bytesToHex(hash), made_at_ms: madeAtMs, body: JSON.stringify(body) };
  await precious.transaction<RichListTables, void>(async (trx) => {
    await trx
      .insertInto('rich_list')
      .values({ id: ROW, ...row })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
      .execute();
  });
}

/** Which block the list is of. */
export async function nameRichList(
  precious: Pick<Precious, 'read'>,
): Promise<{ height: number; hash: Uint8Array; madeAtMs: number } | undefined> {
  const [row] = await precious.read(NAME, []);
  return row && { height: Number(row.height), hash: getHexBytes(row.hash), madeAtMs: Number(row.made_at_ms) };
}

/** Creates what reads the list; the one that it read last is remembered. */
export function createRichListReader(precious: Pick<Precious, 'read'>): () => Promise<RichList | undefined> {
  let last: RichList | undefined;
  return async () => {
    const [named] = await precious.read(NAME, []);
    if (named === undefined) return undefined;
    if (
      last !== undefined &&
      last.madeAtMs === Number(named.made_at_ms) &&
      bytesToHex(last.hash) === named.hash
    )
      return last;
    const [row] = await precious.read(GET, []);
    if (row === undefined) return undefined;
    const { scripts, balance, bands, richest } = JSON.parse(row.body) as Body;
    const number = <T extends { balance: string }>(each: T) => ({ ...each, balance: BigInt(each.balance) });
    last = {
      height: Number(row.height),
      hash: getHexBytes(row.hash),
      madeAtMs: Number(row.made_at_ms),
      scripts,
      balance: BigInt(balance),
      bands: bands.map(number),
      richest: richest.map(number),
    };
    return last;
  };
}
