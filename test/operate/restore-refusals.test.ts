import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { writeManifest } from '../../service/src/backup/manifest.ts';
import { type DatabaseLocation, forEachEngine } from '../harness/engines.ts';
import { runAdmin } from '../harness/merchant.ts';
import { openBeside } from '../harness/precious-rows.ts';

/** A restore that must not be: each is refused by one line, and nothing has changed. */

forEachEngine('a restore', (engine) => {
  let folder: string;
  let database: DatabaseLocation;
  let backup: string;
  let names = 0;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'coinfront-backups-'));
    database = await engine.openUrl();
    await admin(database, 'merchant', 'create', '--name', 'Kept');
    const made = await admin(database, 'backup', '--to', join(folder, 'made'), '--json');
    backup = JSON.parse(made.stdout).folder;
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  let copy: string;
  beforeEach(async () => {
    copy = join(folder, `copy-${++names}`);
    await cp(backup, copy, { recursive: true });
  });

  const admin = (where: DatabaseLocation, ...args: string[]) =>
    runAdmin(where, args, {
      COINFRONT_COIN: 'regtest',
      COINFRONT_REGISTRY_KEY_FILE: join(folder, 'registry.key'),
    });
  const refusal = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await admin(database, 'restore', ...args);
    expect([code, stdout]).toEqual([1, '']);
    expect(await listMerchants(database)).toEqual(['Kept']);
    return stderr;
  };
  /** A backup as another program made it: the manifest is its own, and whole. */
  const rewrite = async (changes: object): Promise<void> => {
    const { digest: _, ...manifest } = JSON.parse(await readFile(join(copy, 'manifest.json'), 'utf8'));
    await writeFile(join(copy, 'manifest.json'), writeManifest({ ...manifest, ...changes }));
  };

  test('never overwrites without being told, and then keeps what was there', async () => {
    expect(await refusal(copy)).toMatch(/^There is a .*front.* already; with --replace .*\n$/);
    await admin(database, 'merchant', 'create', '--name', 'Later');
    const replaced = await admin(database, 'restore', copy, '--replace', '--json');
    expect([replaced.stderr, replaced.code]).toEqual(['', 0]);
    expect(await listMerchants(database)).toEqual(['Kept']);
    expect(JSON.parse(replaced.stdout).database_before).toMatch(/front.before/);
  });

  // A command is a process, and each of the files takes four of them.
  test('of a damaged backup is refused, whichever file it is', async () => {
    const files = await readdir(copy);
    expect(files.length).toBeGreaterThan(1);
    for (const name of files) {
      const whole = await readFile(join(copy, name));
      const changed = Buffer.from(whole);
      changed[changed.length >> 1]! ^= 1;
      await writeFile(join(copy, name), changed);
      expect(await refusal(copy, '--replace')).toBe(
        `The backup is damaged: ${name} is not what was written.\n`,
      );
      await rm(join(copy, name));
      expect(await refusal(copy, '--replace')).toMatch(
        /^(The backup is damaged: \S+ is missing|\S+ is no backup: .*)\.\n$/,
      );
      await writeFile(join(copy, name), whole);
    }
    expect((await admin(database, 'restore', copy, '--check')).code).toBe(0);
  });

  test('of a backup of another chain is refused', async () => {
    await rewrite({ coin: 'other', genesis: '00'.repeat(32) });
    expect(await refusal(copy, '--replace')).toMatch(/^The backup is of another chain: other .*\n$/);
  });

  test('of a backup of the other engine is refused', async () => {
    await rewrite({ engine: engine.kind === 'sqlite' ? 'postgres' : 'sqlite' });
    expect(await refusal(copy, '--replace')).toMatch(/^The backup is of (SQLite|PostgreSQL), and .*\n$/);
  });

  test('of a backup of a newer version is refused, by its form or by its schema', async () => {
    await rewrite({ schema: ['0001_payments', '9999_later'] });
    expect(await refusal(copy, '--replace')).toMatch(
      /^The backup was made by a newer version of Coinfront: it has the step 9999_later, .*\n$/,
    );
    await rewrite({ format: 2, made_by: '9.0.0' });
    expect(await refusal(copy, '--replace')).toBe(
      'The backup was made by a newer version of Coinfront (9.0.0); restore it with that.\n',
    );
  });

  test('is refused while somebody has the database open', async () => {
    const precious = await openBeside(database);
    try {
      await precious.query<{ merchant: object }>().selectFrom('merchant').selectAll().execute();
      expect(await refusal(copy, '--replace')).toMatch(/^The service is running on this database; .*\n$/);
    } finally {
      await precious.close();
    }
  });

  test('that fails at its end has changed nothing, and can be tried again', async () => {
    // The manifest is right, and the database in the backup is not one.
    const name = engine.kind === 'sqlite' ? 'front.db' : 'front.dump';
    const file = join(copy, name);
    const whole = await readFile(file);
    await writeFile(file, whole.subarray(0, whole.length >> 1));
    const { describeFile } = await import('../../service/src/backup/manifest.ts');
    await rewrite({ files: [await describeFile(copy, name)] });
    expect((await refusal(copy, '--replace')).trim().split('\n')).toHaveLength(1);
    expect((await admin(database, 'restore', backup, '--replace')).code).toBe(0);
  });
});

test('old backups are removed when there are too many, and nothing else is', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'coinfront-backups-'));
  const database = { kind: 'sqlite', dataDir } as const;
  const within = join(dataDir, 'backups');
  await admin('merchant', 'list');
  const folders: string[] = [];
  for (let i = 0; i < 2; i++) folders.push(JSON.parse((await backUp()).stdout).folder);
  await writeFile(join(within, 'notes.txt'), 'mine');
  const third = JSON.parse((await backUp('--keep', '2')).stdout);
  expect(third.removed).toEqual([folders[0]]);
  expect(await readdir(within)).toHaveLength(3);
  await rm(dataDir, { recursive: true });

  function admin(...args: string[]) {
    return runAdmin(database, args, { COINFRONT_COIN: 'regtest' });
  }
  function backUp(...args: string[]) {
    return admin('backup', '--to', within, '--json', ...args);
  }
});

async function listMerchants(database: DatabaseLocation): Promise<string[]> {
  const precious = await openBeside(database);
  try {
    const merchants = precious.query<{ merchant: { name: string } }>().selectFrom('merchant').select('name');
    return (await merchants.execute()).map(({ name }) => name);
  } finally {
    await precious.close();
  }
}
