import { expect, test } from 'vitest';
import { listWideColumns, writeForSqlite } from './statement.ts';

test('numbered parameters become anonymous ones, each with the index of its value', () => {
  const { text, order } = writeForSqlite('select a from t where b > $2 and c = $1 and d <> $2');
  expect(text).toBe('select a from t where b > ? and c = ? and d <> ?');
  expect(order).toEqual([1, 0, 1]);
});

test('the value of a limit is hidden from the planner', () => {
  const { text, order } = writeForSqlite('select a from t where b > $1 order by b limit $2');
  expect(text).toBe('select a from t where b > ? order by b limit cast(? as integer)');
  expect(order).toEqual([0, 1]);
});

test('wide columns are plain ones', () => {
  const { text, order } = writeForSqlite('select p.id, wide(p.data) as data from page p where p.id > $1');
  expect(text).toBe('select p.id, p.data as data from page p where p.id > ?');
  expect(order).toEqual([0]);
});

test('a wide column of several selects is named once', () => {
  const text =
    'select wide(data) as data from page where id = $1 union all select wide(data) as data from page where id = 0';
  expect(listWideColumns(text)).toEqual(['data']);
});
