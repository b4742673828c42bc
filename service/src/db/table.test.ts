import { expect, test } from 'vitest';
import { createTableSql, defineTable } from './table.ts';

const page = { name: 'page', columns: { page: 'int', data: 'bytes' }, primaryKey: ['page'] } as const;

test('large rows stay in their table on PostgreSQL; rewritten ones have room for the next version beside them', () => {
  const define = (isRewritten: boolean) => defineTable({ ...page, primaryKey: ['page'], isRewritten });
  const [kept] = createTableSql(define(false), 'postgres');
  expect(kept).toMatch(/ with \(toast_tuple_target = 8160\)$/);
  const [rewritten] = createTableSql(define(true), 'postgres');
  expect(rewritten).toMatch(/ with \(toast_tuple_target = 8160, fillfactor = 50\)$/);
  expect(createTableSql(define(true), 'sqlite')).toEqual([
    'create table page (page integer not null, data blob not null, primary key (page))',
  ]);
});
