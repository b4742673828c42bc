/** What tokens and balances were behind earlier blocks. */

import { findFirstNumber } from '../../chain/find-first-number.ts';
import type { Reader } from '../../db/database.ts';
import { type SqlValue, sql } from '../../db/statement.ts';
import type { IndexedToken } from './token-rows.ts';

type Row = Record<string, SqlValue>;

const bigints = true;

/** A token behind a block that changed its supply, its number of holders or who may mint. */
export type SupplyChange = {
  height: number;
  minted: bigint;
  burned: bigint;
  holders: number;
  mintingOpen: boolean;
};

const FIND_CHANGE = sql<Row>(
  `select height, minted, burned, holders, is_minting_open from token_supply
   where token_number = $1 and number = $2`,
  { bigints },
);

/** The change of a token of this number, counted from 0. */
export async function findSupplyChange(
  reader: Reader,
  tokenNumber: number,
  number: number,
): Promise<SupplyChange | undefined> {
  const row = await reader.get(FIND_CHANGE, [tokenNumber, number]);
  return (
    row && {
      height: Number(row.height),
      minted: row.minted as bigint,
      burned: row.burned as bigint,
      holders: Number(row.holders),
      mintingOpen: Number(row.is_minting_open) === 1,
    }
  );
}

/** How many changes of a token there were below a height. */
export async function countSupplyChanges(
  reader: Reader,
  { number, supplyChanges }: IndexedToken,
  belowHeight: number,
): Promise<number> {
  return await findFirstNumber(
    0,
    supplyChanges,
    async (change) => (await findSupplyChange(reader, number, change))!.height >= belowHeight,
  );
}

/** A token behind a block; undefined before its creation. */
export async function findSupplyAt(
  reader: Reader,
  token: IndexedToken,
  height: number,
): Promise<SupplyChange | undefined> {
  const changes = await countSupplyChanges(reader, token, height + 1);
  return await findSupplyChange(reader, token.number, changes - 1);
}

/**
 * Goes from token to token of a script, at most $4 of them: a script may have moved each of them very often. Of each it takes
 * the last balance that is not above the height.
 */
const LIST_BALANCES = sql<Row>(
  `with recursive held (token_number, place) as (
     select min(token_number), 1 from token_balance_log where script_id = $1 and token_number > $2
     union all
     select (
       select min(later.token_number) from token_balance_log later
       where later.script_id = $1 and later.token_number > held.token_number
     ), place + 1
     from held where token_number is not null and place < $4
   )
   select held.token_number, (
     select moved.amount from token_balance_log moved
     where moved.script_id = $1 and moved.token_number = held.token_number and moved.height <= $3
     order by moved.height desc limit 1
   ) as amount
   from held where held.token_number is not null order by held.token_number`,
  { bigints },
);

/** What a script had of each token that it ever had, behind a block: those above the number `after`, at most `limit`; zeros, too. */
export async function listPastBalances(
  reader: Reader,
  scriptId: number,
  height: number,
  after: number,
  limit: number,
): Promise<{ tokenNumber: number; amount: bigint }[]> {
  const rows = await reader.all(LIST_BALANCES, [scriptId, after, height, limit]);
  return rows.map(({ token_number, amount }) => ({
    tokenNumber: Number(token_number),
    amount: (amount as bigint | null) ?? 0n,
  }));
}
