import type { Reader } from '../../db/database.ts';
import { type SqlValue, type Statement, sql } from '../../db/statement.ts';
import { sha256 } from '../../indexer/encoding/hashes.ts';
import { type IndexedToken, readTokenRow } from './token-rows.ts';
import { tokenTable } from './token-tables.ts';

type Row = Record<string, SqlValue>;

const bigints = true;
const TOKEN_COLUMNS = tokenTable.table.columns.map(({ name }) => name).join(', ');
const SELECT_TOKEN = `select ${TOKEN_COLUMNS} from token`;

const FIND_TOKEN = sql<Row>(`${SELECT_TOKEN} where token_id = $1`, { bigints });
const LIST_BY_ID = sql<Row>(
  `${SELECT_TOKEN} where token_id >= $1 and token_id <= $2 order by token_id limit $3`,
  {
    bigints,
  },
);
const FIND_NUMBERED = sql<Row>(`${SELECT_TOKEN} where number = $1`, { bigints });
const FIND_HEIGHT = sql<{ created_height: number }>('select created_height from token where number = $1');
const LIST_HEIGHTS = sql<{ number: number; created_height: number }>(
  'select number, created_height from token where number = any($1)',
);
const LIST_ISSUED = sql<Row>(
  `${SELECT_TOKEN} where issuer_hash = $1 and number > $2 order by number limit $3`,
  { bigints },
);

/** The token of an id. */
export async function findToken(reader: Reader, tokenId: Uint8Array): Promise<IndexedToken | undefined> {
  const row = await reader.get(FIND_TOKEN, [tokenId]);
  return row && readTokenRow(row);
}

/** The token of a number. */
export async function findNumberedToken(reader: Reader, number: number): Promise<IndexedToken | undefined> {
  const row = await reader.get(FIND_NUMBERED, [number]);
  return row && readTokenRow(row);
}

/** The block that created the token of a number. */
export async function findCreatedHeight(reader: Reader, number: number): Promise<number | undefined> {
  return (await reader.get(FIND_HEIGHT, [number]))?.created_height;
}

/** The blocks that created the tokens of some numbers, in the order of numbers. */
export async function listCreatedHeights(
  reader: Reader,
  numbers: readonly number[],
): Promise<{ number: number; height: number }[]> {
  const rows = await reader.lookup(LIST_HEIGHTS, numbers);
  return rows
    .map(({ number, created_height }) => ({ number, height: created_height }))
    .sort((a, b) => a.number - b.number);
}

/** Tokens whose ids are from `low` to `high`, both included, in the order of ids. */
export async function listTokensById(
  reader: Reader,
  low: Uint8Array,
  high: Uint8Array,
  limit: number,
): Promise<IndexedToken[]> {
  return (await reader.all(LIST_BY_ID, [low, high, limit])).map(readTokenRow);
}

const MAX_TICKER_LENGTH = 12;
const LIST_BY_TICKER = sql<Row>(
  `${SELECT_TOKEN} where ticker > $1 and ticker <= $2 order by ticker, number limit $3`,
  { bigints },
);

/** Tokens whose tickers begin with one and go on, in the order of tickers. */
export async function listTokensByTicker(
  reader: Reader,
  start: string,
  limit: number,
): Promise<IndexedToken[]> {
  // Tickers are of A-Z and 0-9 alone, which every collation of a database has in one order.
  const last = start.padEnd(MAX_TICKER_LENGTH, 'Z');
  return (await reader.all(LIST_BY_TICKER, [start, last, limit])).map(readTokenRow);
}

/** Tokens of an issuer whose numbers are above `after`, the oldest first. */
export async function listIssuedTokens(
  reader: Reader,
  issuerHash: Uint8Array,
  after: number,
  limit: number,
): Promise<IndexedToken[]> {
  return (await reader.all(LIST_ISSUED, [issuerHash, after, limit])).map(readTokenRow);
}

/** Which tokens a list has: all, those of a ticker, or those of an issuer. */
export type TokenFilter =
  | { kind: 'all' }
  | { kind: 'ticker'; ticker: string }
  | { kind: 'issuer'; issuerHash: Uint8Array };

/** Where a list goes on: behind the token of this number, and, in the order of holders, of this many. */
export type TokenPlaceInList = { holders: number; number: number };

type ListStatements = Record<'newest' | 'oldest' | 'holders', Statement<Row>>;

const LISTS: Record<TokenFilter['kind'], ListStatements> = {
  all: describeLists(''),
  ticker: describeLists('ticker = $1 and '),
  issuer: describeLists('issuer_hash = $1 and '),
};

function describeLists(filter: string): ListStatements {
  const [a, b, c] = filter === '' ? ['$1', '$2', '$3'] : ['$2', '$3', '$4'];
  const list = (rest: string) => sql<Row>(`${SELECT_TOKEN} where ${filter}${rest}`, { bigints });
  return {
    newest: list(`number < ${a} order by number desc limit ${b}`),
    oldest: list(`number > ${a} order by number limit ${b}`),
    holders: list(`(holders, number) < (${a}, ${b}) order by holders desc, number desc limit ${c}`),
  };
}

/** Tokens in an order, behind `after` when given. */
export async function listTokens(
  reader: Reader,
  filter: TokenFilter,
  sort: keyof ListStatements,
  after: TokenPlaceInList | undefined,
  limit: number,
): Promise<IndexedToken[]> {
  const first = filter.kind === 'all' ? [] : filter.kind === 'ticker' ? [filter.ticker] : [filter.issuerHash];
  const last = Number.MAX_SAFE_INTEGER;
  const place =
    sort === 'oldest'
      ? [after?.number ?? -1]
      : sort === 'newest'
        ? [after?.number ?? last]
        : [after?.holders ?? last, after?.number ?? last];
  const rows = await reader.all(LISTS[filter.kind][sort], [...first, ...place, limit]);
  return rows.map(readTokenRow);
}

const FIND_SCRIPT = sql<{ script_id: number }>('select script_id from token_script where script_hash = $1');

/** The number of a script in the tables of tokens; undefined when it never took part in an operation. */
export async function findScriptNumber(reader: Reader, script: Uint8Array): Promise<number | undefined> {
  return (await reader.get(FIND_SCRIPT, [sha256(script)]))?.script_id;
}

/** A balance: of a script and a token, both by number. */
export type BalanceRow = { scriptId: number; tokenNumber: number; amount: bigint };

const SELECT_BALANCE = 'select script_id, token_number, amount from token_balance';
const FIND_BALANCE = sql<Row>(`${SELECT_BALANCE} where script_id = $1 and token_number = $2`, { bigints });
const LIST_LARGEST = sql<Row>(
  `${SELECT_BALANCE} where token_number = $1 order by amount desc, script_id desc limit $2`,
  { bigints },
);
const LIST_SMALLER = sql<Row>(
  `${SELECT_BALANCE} where token_number = $1 and (amount, script_id) < ($2, $3)
   order by amount desc, script_id desc limit $4`,
  { bigints },
);
const LIST_HELD = sql<Row>(
  `${SELECT_BALANCE} where script_id = $1 and token_number > $2 order by token_number limit $3`,
  { bigints },
);

/** What a script has of a token; zero when there is no row. */
export async function findBalance(reader: Reader, scriptId: number, tokenNumber: number): Promise<bigint> {
  const row = await reader.get(FIND_BALANCE, [scriptId, tokenNumber]);
  return row === undefined ? 0n : (row.amount as bigint);
}

/** Holders of a token, the largest first and of equal ones the latest script first, below `after` when given. */
export async function listHolders(
  reader: Reader,
  tokenNumber: number,
  after: { amount: bigint; scriptId: number } | undefined,
  limit: number,
): Promise<BalanceRow[]> {
  const rows = after
    ? await reader.all(LIST_SMALLER, [tokenNumber, after.amount, after.scriptId, limit])
    : await reader.all(LIST_LARGEST, [tokenNumber, limit]);
  return rows.map(readBalance);
}

/** Balances of a script, of tokens whose numbers are above `after`, in their order. */
export async function listHeldBalances(
  reader: Reader,
  scriptId: number,
  after: number,
  limit: number,
): Promise<BalanceRow[]> {
  return (await reader.all(LIST_HELD, [scriptId, after, limit])).map(readBalance);
}

function readBalance(row: Row): BalanceRow {
  return {
    scriptId: Number(row.script_id),
    tokenNumber: Number(row.token_number),
    amount: row.amount as bigint,
  };
}

/** Totals of all tokens. */
export type TokenCounts = {
  tokens: number;
  holders: number;
  creates: number;
  mints: number;
  transfers: number;
  burns: number;
  sweeps: number;
  invalid: number;
};

const GET_COUNTS = sql<TokenCounts>(
  'select tokens, holders, creates, mints, transfers, burns, sweeps, invalid from token_count where id = 0',
);

/** Totals; zeros before the first operation. */
export async function getTokenCounts(reader: Reader): Promise<TokenCounts> {
  const zeros = {
    tokens: 0,
    holders: 0,
    creates: 0,
    mints: 0,
    transfers: 0,
    burns: 0,
    sweeps: 0,
    invalid: 0,
  };
  return (await reader.get(GET_COUNTS)) ?? zeros;
}
