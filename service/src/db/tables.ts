import type { Database, Reader, Writer } from './database.ts';
import { sql } from './statement.ts';
import { createTableSql, type Table } from './table.ts';

const CREATE_META = sql('create table if not exists meta (key text primary key, value text not null)');
const GET_META = sql<{ value: string }>('select value from meta where key = $1');
/** These numbers go on, so that no reader takes what comes for what it remembers under the same number. */
const CLEAR_META = sql("delete from meta where key not in ('revision', 'mempool_next_id')");
const PUT_META = sql(
  'insert into meta (key, value) values ($1, $2) on conflict (key) do update set value = excluded.value',
);

const HAS_META = {
  sqlite: sql<{ found: number }>("select count(*) as found from sqlite_master where name = 'meta'"),
  postgres: sql<{ found: number }>("select count(*) as found from pg_tables where tablename = 'meta'"),
};

/** Whether {@link ensureTables} has ever made the tables. */
export async function hasTables(reader: Reader, engine: Database['engine']): Promise<boolean> {
  return ((await reader.get(HAS_META[engine]))?.found ?? 0) > 0;
}

/**
 * Makes the derived tables, or makes them anew when they were made for another layout or another chain: what is derived
 * is rebuilt, never migrated.
 *
 * @param identity names layout, chain and parts; equal identity means that the rows that are there can be used
 */
export async function ensureTables(
  writer: Writer,
  engine: Database['engine'],
  tables: readonly Table[],
  identity: string,
): Promise<void> {
  await writer.begin();
  try {
    await writer.run(CREATE_META);
    const found = await writer.get(GET_META, ['identity']);
    if (found?.value === identity) {
      // Nothing was changed; a first commit may have to wait.
      await writer.rollback();
      return;
    }
    const before = await writer.get(GET_META, ['tables']);
    for (const name of before?.value.split(' ') ?? []) await writer.run(sql(`drop table if exists ${name}`));
    // The number goes on, so that no reader takes what is there now for what it remembers.
    const revision = Number((await writer.get(GET_META, ['revision']))?.value ?? 0);
    await writer.run(CLEAR_META);
    await writer.run(PUT_META, ['revision', String(Math.max(revision + 1, Date.now()))]);
    for (const table of tables) {
      for (const text of createTableSql(table, engine)) await writer.run(sql(text));
    }
    await writer.run(PUT_META, ['tables', tables.map((table) => table.name).join(' ')]);
    await writer.run(PUT_META, ['identity', identity]);
    await writer.commit();
  } catch (error) {
    await writer.rollback();
    throw error;
  }
}
