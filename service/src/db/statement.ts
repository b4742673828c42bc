/** What a column or a parameter holds. `undefined` never occurs: absence is `null`. */
export type SqlValue = number | bigint | string | Uint8Array | null;

/**
 * A query, written once for both engines: `$1`, `$2`, … are its parameters. It is compiled once per connection, so
 * statements are module constants; `Row` says which columns it returns.
 *
 * Integers come as numbers; with `bigints` all integers of the row come as bigint (for amounts, which may pass 2^53).
 */
export type Statement<Row> = {
  readonly text: string;
  readonly bigints: boolean;
  /** How a lookup of many keys (`$1`) is written for one key, on the engine that asks for them one by one. */
  readonly single: string;
  /** On that engine, for keys that ascend: the first key that a row does not answer for, too. Those below are not asked. */
  endOf?(row: Row): number;
  /** Only for the type checker; never set. */
  readonly row?: Row;
};

/**
 * Defines a {@link Statement}.
 *
 * @param options.single for lookups whose form for one key is more than `any($1)` read as `$1`
 * @param options.endOf for lookups whose rows answer for many keys: see {@link Statement}
 */
export function sql<Row = never>(
  text: string,
  options: { bigints?: boolean; single?: string; endOf?: (row: Row) => number } = {},
): Statement<Row> {
  return {
    text,
    bigints: options.bigints ?? false,
    single: options.single ?? text.replace('any($1)', '$1'),
    ...(options.endOf === undefined ? {} : { endOf: options.endOf }),
  };
}

/**
 * Rewrites numbered parameters to the anonymous ones of SQLite.
 *
 * @returns the text with `?` and, for each `?`, the index of its parameter
 */
export function toAnonymousParameters(text: string): { text: string; order: number[] } {
  const order: number[] = [];
  const rewritten = text.replace(/\$(\d+)/g, (_, digits: string) => {
    order.push(Number(digits) - 1);
    return '?';
  });
  return { text: keepPlan(rewritten), order };
}

/**
 * Hides the parameters of `limit` from SQLite's planner. It would look at their values, and so compile the statement again
 * each time they are bound: measured, a page of neighbours takes 31 µs then, and 23 µs with one plan for all limits.
 */
export function keepPlan(text: string): string {
  return text.replace(/\blimit \?/g, 'limit cast(? as integer)');
}
