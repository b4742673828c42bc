import type pg from 'pg';
import type { Reader } from './database.ts';
import { copyRows, isCopyable } from './postgres-copy.ts';
import { queryRows } from './postgres-query.ts';
import type { Statement } from './statement.ts';

const KEYS_AT_ONCE = 5_000;
/** Where rows can be copied, from so many keys on that is faster. */
const LEAST_COPIED = 200;

/** Reads through one connection, in whatever transaction that is. */
export function createPostgresReader(client: pg.ClientBase): Reader {
  return {
    folder: undefined,
    all: (statement, params = []) => queryRows(client, statement, params),
    async get(statement, params = []) {
      return (await queryRows(client, statement, params))[0];
    },
    async lookup<Row>(statement: Statement<Row>, keys: ArrayLike<number>) {
      const rows: Row[] = [];
      for (let start = 0; start < keys.length; start += KEYS_AT_ONCE) {
        const chunk = Array.from(
          { length: Math.min(KEYS_AT_ONCE, keys.length - start) },
          (_, i) => keys[start + i]!,
        );
        const found =
          chunk.length >= LEAST_COPIED && isCopyable(statement)
            ? await copyRows(client, statement, chunk)
            : await queryRows(client, statement, [`{${chunk.join(',')}}`]);
        for (const row of found) rows.push(row);
      }
      return rows;
    },
  };
}
