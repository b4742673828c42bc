import type pg from 'pg';
import type { Reader } from './database.ts';
import { describeQuery, runQuery } from './postgres-query.ts';
import type { SqlValue, Statement } from './statement.ts';

const KEYS_AT_ONCE = 5_000;

/** Reads through one connection, in whatever transaction that is. */
export function createPostgresReader(client: pg.ClientBase): Reader {
  return {
    async all<Row>(statement: Statement<Row>, params: readonly SqlValue[] = []) {
      const result = await runQuery(client, describeQuery(statement, params));
      return result.rows as Row[];
    },
    async get<Row>(statement: Statement<Row>, params: readonly SqlValue[] = []) {
      const result = await runQuery(client, describeQuery(statement, params));
      return result.rows[0] as Row | undefined;
    },
    async lookup<Row>(statement: Statement<Row>, keys: ArrayLike<number>) {
      const rows: Row[] = [];
      for (let start = 0; start < keys.length; start += KEYS_AT_ONCE) {
        const chunk = Array.from(
          { length: Math.min(KEYS_AT_ONCE, keys.length - start) },
          (_, i) => keys[start + i],
        );
        const result = await runQuery(client, describeQuery(statement, [`{${chunk.join(',')}}`]));
        for (const row of result.rows) rows.push(row as Row);
      }
      return rows;
    },
  };
}
