import { expect, test } from 'vitest';
import { createTableSql, defineTable } from './table.ts';

test('large rows stay in their table on PostgreSQL, and are not vacuumed for having been inserted', () => {
  const page = defineTable({ name: 'page', columns: { page: 'int', data: 'bytes' }, primaryKey: ['page'] });
  expect(createTableSql(page, 'postgres')[0]).toMatch(
    / with \(toast_tuple_target = 8160, autovacuum_vacuum_insert_threshold = -1\)$/,
  );
  expect(createTableSql(page, 'sqlite')).toEqual([
    'create table page (page integer not null, data blob not null, primary key (page))',
  ]);
});
