/** How one query asks what several callers have asked: a statement for arrays of their parameters, or of their keys. */

import { type Statement, sql } from './statement.ts';

/** Which of those who asked together a row answers, counted from 1: the only column of a row that is not the statement's. */
export type AskedBy = { asked_by: number | bigint };

const manyAsks = new WeakMap<Statement<unknown>, Statement<AskedBy>>();
const manyLookups = new WeakMap<Statement<unknown>, Statement<AskedBy>>();

/** The rows of each caller. */
export function dealOut(rows: readonly AskedBy[], count: number): unknown[][] {
  const dealt: unknown[][] = Array.from({ length: count }, () => []);
  for (const row of rows) dealt[Number(row.asked_by) - 1]!.push(row);
  return dealt;
}

/** A statement for many rows of parameters at once. Rows of one come in the order that the statement gives them. */
export function describeTogether(
  statement: Statement<unknown>,
  types: readonly string[],
): Statement<AskedBy> {
  return remember(manyAsks, statement, () => {
    const arrays = types.map((type, i) => `$${i + 1}::${type}[]`).join(', ');
    const names = types.map((_, i) => `p${i + 1}`).join(', ');
    const text = statement.text.replace(/\$(\d+)/g, 'a.p$1');
    return `select r.*, a.asked_by from unnest(${arrays}) with ordinality as a(${names}, asked_by)
      cross join lateral (${text}) r`;
  });
}

/** The lookups of many callers, each key with the number of who asks for it. */
export function describeLookups(statement: Statement<unknown>): Statement<AskedBy> {
  return remember(manyLookups, statement, () => {
    const text = statement.single.replaceAll('$1', 'a.key');
    return `select r.*, a.asked_by from unnest($1::int8[], $2::int8[]) as a(key, asked_by) cross join lateral (${text}) r`;
  });
}

function remember(
  known: WeakMap<Statement<unknown>, Statement<AskedBy>>,
  statement: Statement<unknown>,
  write: () => string,
): Statement<AskedBy> {
  let together = known.get(statement);
  if (!together) {
    together = sql<AskedBy>(write(), { bigints: statement.bigints, isSeldom: statement.isSeldom });
    known.set(statement, together);
  }
  return together;
}
