import { type Expression, type SqlBool, sql } from 'kysely';
import type { Precious } from '../../../db/precious.ts';

/** `column in (values)` as one parameter, so that a query has one text however many there are. */
export function isIn(
  engine: Precious['engine'],
  column: string,
  values: readonly string[],
): Expression<SqlBool> {
  return engine === 'postgres'
    ? sql<SqlBool>`${sql.ref(column)} = any(${values})`
    : sql<SqlBool>`${sql.ref(column)} in (select value from json_each(${JSON.stringify(values)}))`;
}
