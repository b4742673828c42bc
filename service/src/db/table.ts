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
  return { name: table.name, columns, primaryKey: table.primaryKey, indexes };
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

/** `create table` and `create index` for one engine. */
export function createTableSql(table: Table, engine: 'sqlite' | 'postgres'): string[] {
  const types = engine === 'sqlite' ? SQLITE_TYPES : POSTGRES_TYPES;
  const columns = table.columns.map((c) => `${c.name} ${types[c.type]}${c.nullable ? '' : ' not null'}`);
  const [keyColumn] = table.columns.filter((c) => c.name === table.primaryKey[0]);
  // In SQLite a single integer key is the rowid itself; every other table is kept in the order of its key.
  const isRowid = table.primaryKey.length === 1 && keyColumn?.type === 'int';
  const suffix = engine === 'sqlite' && !isRowid ? ' without rowid' : '';
  return [
    `create table ${table.name} (${columns.join(', ')}, primary key (${table.primaryKey.join(', ')}))${suffix}`,
    ...table.indexes.map(
      (index) => `create index ${table.name}_${index.join('_')} on ${table.name} (${index.join(', ')})`,
    ),
  ];
}
