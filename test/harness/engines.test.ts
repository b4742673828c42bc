import { readdir } from 'node:fs/promises';
import pg from 'pg';
import { expect, test } from 'vitest';
import { forEachEngine } from './engines.ts';

forEachEngine('a fresh database', (engine) => {
  test('is empty and another one each time', async () => {
    const first = await engine.openUrl();
    const second = await engine.openUrl();
    expect(second).not.toEqual(first);
    if (first.kind === 'sqlite') {
      expect(await readdir(first.dataDir)).toEqual([]);
      return;
    }
    const client = new pg.Client({ connectionString: first.url });
    await client.connect();
    const { rows } = await client.query(
      "select count(*)::int as n from pg_tables where schemaname = 'public'",
    );
    await client.end();
    expect(rows).toEqual([{ n: 0 }]);
  });
});
