/**
 * How a column is held in each engine:
 * - `int`: a safe integer, read as number
 * - `amount`: base units in 64 bits, read as bigint
 * - `total`: a sum that may pass 64 bits (a coin with 10^19 base units exists), a decimal string in both engines
 * - `bytes`, `text`
 */
export type ColumnType = 'int' | 'amount' | 'total' | 'bytes' | 'text';

/** A table of ours, from which both engines' definitions and bulk statements are made. */
export type Table = {
  readonly name: string;
  readonly columns: readonly Column[];
  readonly primaryKey: readonly string[];
  /** Columns of each secondary index. */
  readonly indexes: readonly (readonly string[])[];
};

export type Column = { readonly name: string; readonly type: ColumnType; readonly nullable: boolean };

/** A column type, with a `?` when the column may be null. */
export type ColumnSpec = ColumnType | `${ColumnType}?`;

/** Defines a table; the order of `columns` is the order of bulk values. An index is one column, or several in order. */
export function defineTable(table: {
  name: string;
  columns: Record<string, ColumnSpec>;
  primaryKey: string[];
  indexes?: (string | string[])[];
}): Table {
  const columns = Object.entries(table.columns).map(([name, spec]) => ({
    name,
    type: spec.replace('?', '') as ColumnType,
    nullable: spec.endsWith('?'),
  }));
  const indexes = (table.indexes ?? []).map((index) => (typeof index === 'string' ? [index] : index));
  const { name, primaryKey } = table;
  return { name, columns, primaryKey, indexes };
}

/** The columns of the primary key, in its order. */
export function keyColumnsOf({ primaryKey, columns }: Table): Column[] {
  return primaryKey.map((name) => columns.find((column) => column.name === name)!);
}

const SQLITE_TYPES: Record<ColumnType, string> = {
  int: 'integer',
  amount: 'integer',
  total: 'text',
  bytes: 'blob',
  text: 'text',
};

const POSTGRES_TYPES: Record<ColumnType, string> = {
  int: 'int8',
  amount: 'int8',
  total: 'numeric',
  bytes: 'bytea',
  text: 'text',
};

/** The SQL type of a column in PostgreSQL. */
export function postgresType(column: Column): string {
  return POSTGRES_TYPES[column.type];
}

/**
 * PostgreSQL would compress rows above 2 KB, and move what is still large to another table: for hashes and signatures that
 * takes most of the time of writing a page, and gains nothing. This is the most that it takes for a row in its place.
 */
const LARGEST_INLINE_ROW = 8_160;

/**
 * Pages are written once and never updated: a vacuum because rows were inserted would read and write all of them again, for nothing. What
 * was deleted is vacuumed as in any table.
 */
const NEVER = -1;

/** `create table` and `create index` for one engine. */
export function createTableSql(table: Table, engine: 'sqlite' | 'postgres'): string[] {
  const types = engine === 'sqlite' ? SQLITE_TYPES : POSTGRES_TYPES;
  const columns = table.columns.map((c) => `${c.name} ${types[c.type]}${c.nullable ? '' : ' not null'}`);
  const [keyColumn] = table.columns.filter((c) => c.name === table.primaryKey[0]);
  // In SQLite a single integer key is the rowid itself; every other table is kept in the order of its key.
  const isRowid = table.primaryKey.length === 1 && keyColumn?.type === 'int';
  const byteColumns = table.columns.filter(({ type }) => type === 'bytes');
  const suffix =
    engine === 'sqlite'
      ? isRowid
        ? ''
        : ' without rowid'
      : byteColumns.length > 0
        ? ` with (toast_tuple_target = ${LARGEST_INLINE_ROW}, autovacuum_vacuum_insert_threshold = ${NEVER})`
        : '';
  return [
    `create table ${table.name} (${columns.join(', ')}, primary key (${table.primaryKey.join(', ')}))${suffix}`,
    ...(engine === 'postgres'
      ? byteColumns.map(({ name }) => `alter table ${table.name} alter column ${name} set storage external`)
      : []),
    ...table.indexes.map(
      (index) => `create index ${table.name}_${index.join('_')} on ${table.name} (${index.join(', ')})`,
    ),
  ];
}
