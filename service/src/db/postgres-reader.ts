import type pg from 'pg';
import type { Reader } from './database.ts';
import { type CopyParam, copyRows, isCopyable } from './postgres-copy.ts';
import { type QueryOptions, queryRows } from './postgres-query.ts';
import type { SqlValue, Statement } from './statement.ts';

const KEYS_AT_ONCE = 5_000;
/** Where rows can be copied, from so many keys on that is faster. */
const LEAST_COPIED = 200;

/** Reads through one connection, in whatever transaction that is. */
export function createPostgresReader(client: pg.ClientBase): Reader {
  return {
    folder: undefined,
    all: (statement, params = []) =>
      statement.isBulk ? copyWherePossible(client, statement, params) : queryRows(client, statement, params),
    async get(statement, params = []) {
      return (await queryRows(client, statement, params))[0];
    },
    lookup: (statement, keys) => lookUpRows(client, statement, keys),
  };
}

/** The same for what is large: it comes as bytes, which neither side has to write as text or to read. */
export function createLargeReader(client: pg.ClientBase): Reader {
  const all = <Row>(statement: Statement<Row>, params: readonly SqlValue[] = []): Promise<Row[]> =>
    copyWherePossible(client, statement, params);
  return {
    folder: undefined,
    all,
    async get(statement, params) {
      return (await all(statement, params))[0];
    },
    lookup: (statement, keys) => lookUpRows(client, statement, keys, { leastCopied: 1 }),
  };
}

function copyWherePossible<Row>(
  client: pg.ClientBase,
  statement: Statement<Row>,
  params: readonly SqlValue[],
): Promise<Row[]> {
  return isCopyable(statement) && params.every((param) => Number.isSafeInteger(param))
    ? copyRows(client, statement, params as readonly CopyParam[])
    : queryRows(client, statement, params);
}

/** The rows of many keys, some thousands of them a query. */
export async function lookUpRows<Row>(
  client: pg.ClientBase,
  statement: Statement<Row>,
  keys: ArrayLike<number>,
  { leastCopied = LEAST_COPIED, ...options }: QueryOptions & { readonly leastCopied?: number } = {},
): Promise<Row[]> {
  const rows: Row[] = [];
  for (let start = 0; start < keys.length; start += KEYS_AT_ONCE) {
    const chunk = Array.from(
      { length: Math.min(KEYS_AT_ONCE, keys.length - start) },
      (_, i) => keys[start + i]!,
    );
    const found =
      chunk.length >= leastCopied && isCopyable(statement)
        ? await copyRows(client, statement, [chunk], options)
        : await queryRows(client, statement, [`{${chunk.join(',')}}`], options);
    for (const row of found) rows.push(row);
  }
  return rows;
}
