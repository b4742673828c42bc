import { concatBytes } from '@coinfront/protocol/bytes.ts';
import { balanceStateRow, tokenStateRow } from '@coinfront/protocol/tokens/token-canonical.ts';
import type { Reader } from '../../db/database.ts';
import { type SqlValue, sql } from '../../db/statement.ts';
import type { RowsBehind, SourceRow, StateSource } from '../../replicas/state-source.ts';
import { readTokenRow } from './token-rows.ts';
import { listChangedTokens } from './token-state-changes.ts';
import { balanceTable, tokenTable } from './token-tables.ts';

const bigints = true;
const ID_BYTES = 32;
const nothing = new Uint8Array(0);

const TOKENS_BEHIND = sql<Record<string, SqlValue>>(
  `select ${tokenTable.table.columns.map(({ name }) => name).join(', ')} from token
   where token_id > $1 order by token_id limit $2`,
  { bigints },
);
/** A token whose balances are read. */
type Held = { token_id: Uint8Array; number: number; holders: number };
const HELD_FROM = sql<Held>(
  'select token_id, number, holders from token where token_id >= $1 order by token_id limit $2',
);
type BalanceRow = { script_hash: Uint8Array; script_id: bigint; amount: bigint | null };
/** The order of the join is written down (cross join): from the balances of one token to their scripts. */
const BALANCES_BEHIND = sql<BalanceRow>(
  `select s.script_hash, s.script_id, b.amount
   from token_balance b cross join token_script s
   where b.token_number = $1 and s.script_id = b.script_id and s.script_hash > $2
   order by s.script_hash limit $3`,
  { bigints },
);
const SCRIPTS_BEHIND = sql<BalanceRow>(
  `select s.script_hash, s.script_id, b.amount
   from (select script_hash, script_id from token_script where script_hash > $2 order by script_hash limit $3) s
   left join token_balance b on b.script_id = s.script_id and b.token_number = $1
   order by s.script_hash`,
  { bigints },
);

/** Holders that are put in order for each page; of a token with more the scripts of all tokens are gone through in their order. */
const SORTED_HOLDERS = 5_000;
/** Scripts that are gone through for a row that is asked for. */
const SCRIPTS_A_ROW = 10;

/** The live state of tokens: tokens, then balances by token and hash of the holder's script. */
export function createTokenState(sortedHolders = SORTED_HOLDERS): StateSource {
  return {
    kinds: [1, 2],
    readBehind: ({ reader }, _height, kind, key, limit) =>
      kind === 1 ? readTokens(reader, key, limit) : readBalances(reader, key, limit, sortedHolders),
    tables: [tokenTable.table, balanceTable.table],
    listChanged: ({ reader }, _height, undone) => listChangedTokens(reader, undone),
  };
}

async function readTokens(reader: Reader, key: Uint8Array, limit: number): Promise<RowsBehind> {
  const found = (await reader.all(TOKENS_BEHIND, [key, limit])).map(readTokenRow);
  const rows = found.map((token) => ({ row: tokenStateRow(token), script: token.issuer }));
  return { rows, last: found.length < limit ? undefined : found.at(-1)?.tokenId };
}

/** Balances of as many tokens as the limit has room for; the key is a token's id and the hash of a script, or part of it. */
async function readBalances(
  reader: Reader,
  key: Uint8Array,
  limit: number,
  sortedHolders: number,
): Promise<RowsBehind> {
  const tokens = await reader.all(HELD_FROM, [key.subarray(0, ID_BYTES), limit + 1]);
  const rows: SourceRow[] = [];
  for (const [i, { token_id, number, holders }] of tokens.entries()) {
    // The one more tells that there are others.
    if (i === limit) return { rows, last: token_id };
    if (holders === 0) continue;
    const behind = i === 0 && key.length > ID_BYTES ? key.subarray(ID_BYTES) : nothing;
    const room = limit - rows.length;
    const isSorted = holders <= sortedHolders;
    const asked = isSorted ? room : room * SCRIPTS_A_ROW;
    const statement = isSorted ? BALANCES_BEHIND : SCRIPTS_BEHIND;
    const found = await reader.all(statement, [number, behind, asked]);
    let taken = behind;
    for (const { script_hash, script_id, amount } of found) {
      if (amount !== null) {
        if (rows.length === limit) return { rows, last: concatBytes(token_id, taken) };
        rows.push({ row: balanceStateRow(token_id, script_hash, amount), script: Number(script_id) });
      }
      taken = script_hash;
    }
    if (found.length === asked) return { rows, last: concatBytes(token_id, taken) };
  }
  return { rows, last: undefined };
}
