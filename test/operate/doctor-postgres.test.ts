/// <reference path="../harness/global-setup.ts" />
import { expect, inject, onTestFinished, test } from 'vitest';
import { checkPostgres } from '../../service/src/doctor/check-postgres.ts';
import { runSql } from '../harness/postgres.ts';

// How a real server says what is judged in service/src/doctor/rules.test.ts.

test('a database of another encoding, a role without the right to make a schema and a limit on its statements are seen', async () => {
  const admin = inject('postgresUrl');
  const name = `narrow_${process.pid}`;
  await runSql(admin, `create database ${name} template template0 encoding 'SQL_ASCII' locale 'C'`);
  onTestFinished(() => runSql(admin, `drop database ${name} with (force)`));
  await runSql(admin, `create role ${name} login`);
  onTestFinished(() => runSql(admin, `drop role ${name}`));
  await runSql(admin, `alter role ${name} set statement_timeout = '30s'`);
  const url = new URL(admin);
  url.pathname = `/${name}`;
  const findWrong = async (user: string) => {
    url.username = user;
    const findings = await checkPostgres({ kind: 'postgres', url: url.href });
    return findings.flatMap(({ check, level, text }) =>
      level === 'fault' || level === 'warning' ? [`${level} ${check}: ${text}`] : [],
    );
  };
  expect(await findWrong(name)).toEqual(
    expect.arrayContaining([
      'fault postgres.encoding: The encoding is SQL_ASCII.',
      'fault postgres.create: The role may not make a schema in this database.',
      'warning postgres.statement_timeout: statement_timeout is 30000 ms.',
    ]),
  );
  const ofOwner = (await findWrong('postgres')).join();
  expect(ofOwner).toContain('postgres.encoding');
  expect(ofOwner).not.toMatch(/postgres\.(create|statement_timeout)/);
});
