/** What a column or a parameter holds. `undefined` never occurs: absence is `null`. */
export type SqlValue = number | bigint | string | Uint8Array | null;

/**
 * A query, written once for both engines: `$1`, `$2`, … are its parameters. It is compiled once per connection, so
 * statements are module constants; `Row` says which columns it returns.
 *
 * Integers come as numbers; with `bigints` all integers of the row come as bigint (for amounts, which may pass 2^53).
 *
 * Bytes of kilobytes, which are never null, are selected as `wide(data) as data`: each engine sends them as it can best.
 */
export type Statement<Row> = {
  readonly text: string;
  readonly bigints: boolean;
  /** Whether it is asked so seldom that it never counts as a large read, however many bytes it gives. */
  readonly isSeldom: boolean;
  /** Whether it mostly gives many kilobytes, which are then sent as bytes wherever that is possible. */
  readonly isBulk: boolean;
  /** How a lookup of many keys (`$1`) is written for one key, on the engine that asks for them one by one. */
  readonly single: string;
  /**
   * On that engine, for keys that ascend and have one row at most: the first key that a row does not answer for, too. Those
   * below are not asked.
   */
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
  options: {
    bigints?: boolean;
    isSeldom?: boolean;
    isBulk?: boolean;
    single?: string;
    endOf?: (row: Row) => number;
  } = {},
): Statement<Row> {
  return {
    text,
    bigints: options.bigints ?? false,
    isSeldom: options.isSeldom ?? false,
    isBulk: options.isBulk ?? false,
    single: options.single ?? text.replace('any($1)', '$1'),
    ...(options.endOf === undefined ? {} : { endOf: options.endOf }),
  };
}

const WIDE_COLUMN = /\bwide\(([\w.]+)\) as (\w+)/g;

/** Rewrites the wide columns of a text to what an engine selects for them. */
export function rewriteWideColumns(text: string, select: (column: string) => string): string {
  return text.replace(WIDE_COLUMN, (_, column: string, name: string) => `${select(column)} as ${name}`);
}

/** Names of the wide columns in the rows of a text. */
export function listWideColumns(text: string): string[] {
  return [...new Set(Array.from(text.matchAll(WIDE_COLUMN), ([, , name]) => name!))];
}

/** Names of the columns in the rows of a text that begins with a plain list of columns. */
export function listColumns(text: string): string[] {
  const [, list = ''] = /^select (.+?) from\b/s.exec(text) ?? [];
  return list.split(',').map((column) =>
    column
      .split(/ as |\./)
      .at(-1)!
      .trim(),
  );
}

/**
 * Rewrites a text for SQLite: numbered parameters become anonymous ones, wide columns plain ones.
 *
 * @returns the text with `?` and, for each `?`, the index of its parameter
 */
export function writeForSqlite(text: string): { text: string; order: number[] } {
  const order: number[] = [];
  const rewritten = rewriteWideColumns(text, (column) => column).replace(/\$(\d+)/g, (_, digits: string) => {
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
