import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openPrecious } from './precious.ts';
import { findFolderProblem, keepPrivate } from './private-files.ts';

let parent: string;
let umask: number;
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'coinfront-private-'));
  // The most careless of users: whatever is private is so by our doing.
  umask = process.umask(0);
});
afterEach(() => {
  process.umask(umask);
  rmSync(parent, { recursive: true, force: true });
});

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);
const modesIn = (folder: string) =>
  Object.fromEntries(readdirSync(folder).map((name) => [name, modeOf(join(folder, name))]));
const migrations = {
  '0001_secret': async (db: { schema: import('kysely').SchemaModule }) => {
    await db.schema.createTable('secret').addColumn('value', 'text').execute();
  },
};
const open = async (folder: string) =>
  await openPrecious({ kind: 'sqlite', file: join(folder, 'front.db') }, migrations);

describe('the precious database', () => {
  test('is made for its owner alone, with its log and its folder, whatever the umask', async () => {
    const folder = join(parent, 'new', 'data');
    const precious = await open(folder);
    await precious.transaction<{ secret: { value: string } }, void>(async (trx) => {
      await trx.insertInto('secret').values({ value: 'whsec' }).execute();
    });
    expect([modeOf(join(parent, 'new')), modeOf(folder)]).toEqual(['700', '700']);
    expect(modesIn(folder)).toEqual({ 'front.db': '600', 'front.db-shm': '600', 'front.db-wal': '600' });
    await precious.close();
  });

  test("of before is mended with what a killed process left, its copies' folder, and a volume's own", async () => {
    const folder = join(parent, 'data');
    mkdirSync(folder, { mode: 0o755 });
    await (await open(folder)).close();
    for (const name of [
      'front.db',
      'front.db-wal',
      'front.db-shm',
      'copy.db',
      'chain.db',
      'chain.db.lock',
      'registry.key',
    ])
      writeFileSync(join(folder, name), '', { flag: 'a' });
    mkdirSync(join(folder, 'lost+found'));
    for (const name of ['front.db', 'front.db-wal', 'front.db-shm']) chmodSync(join(folder, name), 0o644);
    chmodSync(folder, 0o755);
    const precious = await open(folder);
    expect(modeOf(folder)).toBe('700');
    expect(modesIn(folder)).toMatchObject({
      'front.db': '600',
      'front.db-wal': '600',
      'front.db-shm': '600',
    });
    await precious.close();
  });

  test('leaves a folder alone that holds other things, and is private there by itself', async () => {
    chmodSync(parent, 0o755);
    writeFileSync(join(parent, 'of-somebody-else'), '');
    const precious = await open(parent);
    expect(modeOf(parent)).toBe('755');
    expect(modesIn(parent)).toMatchObject({
      'of-somebody-else': '666',
      'front.db': '600',
      'front.db-wal': '600',
    });
    await precious.close();
  });

  test('is private where a link leads', async () => {
    const elsewhere = join(parent, 'elsewhere');
    mkdirSync(elsewhere, { mode: 0o755 });
    writeFileSync(join(elsewhere, 'front.db'), '', { mode: 0o644 });
    mkdirSync(join(parent, 'data'));
    symlinkSync(join(elsewhere, 'front.db'), join(parent, 'data', 'front.db'));
    const precious = await open(join(parent, 'data'));
    expect(modeOf(elsewhere)).toBe('700');
    expect(modesIn(elsewhere)).toEqual({ 'front.db': '600', 'front.db-shm': '600', 'front.db-wal': '600' });
    await precious.close();
  });

  test.each([0o777, 0o1777])(
    'is refused in a folder with other things that all may write in (%o)',
    async (mode) => {
      chmodSync(parent, mode);
      writeFileSync(join(parent, 'of-somebody-else'), '');
      await expect(open(parent)).rejects.toThrow(/^\S+ holds secrets and every user .*choose a folder/);
    },
  );

  // Only root can make files of another user, and become one.
  test.runIf(process.getuid?.() === 0)(
    'of another user that others can read is refused with what to do',
    () => {
      const [ours, theirs] = [65_534, 12_345];
      chmodSync(parent, 0o755);
      const folder = join(parent, 'data');
      mkdirSync(folder);
      const file = join(folder, 'front.db');
      writeFileSync(file, '');
      chmodSync(folder, 0o755);
      chmodSync(file, 0o666);
      chownSync(file, theirs, theirs);
      chownSync(folder, ours, ours);
      const code = `import(${JSON.stringify(join(import.meta.dirname, 'private-files.ts'))})
      .then(({ keepPrivate }) => keepPrivate(${JSON.stringify(file)})).then(() => console.log('kept'), (e) => console.log(e.message))`;
      const tryAs = (uid: number) =>
        execFileSync(process.execPath, ['-e', code], { uid, gid: uid, encoding: 'utf8' }).trim();
      expect(tryAs(ours)).toMatch(
        /^\S+front\.db holds secrets and can be read by others \(mode 0666, of the user 12345\).*chmod 600/,
      );
      expect(modeOf(file)).toBe('666');
      chownSync(file, ours, ours);
      expect(tryAs(ours)).toBe('kept');
      chownSync(file, theirs, theirs);
      expect(tryAs(ours)).toMatch(
        /front\.db cannot be read and written \(EACCES\): it has to belong to the user/,
      );
      // A command of root beside a service of another user takes nothing from it.
      keepPrivate(file);
      expect([modeOf(file), statSync(file).uid]).toEqual(['600', theirs]);
    },
  );
});

test.each([
  [{ mode: 0o40755, uid: 1000 }, 1000, undefined],
  [{ mode: 0o42775, uid: 0 }, 1000, undefined],
  [{ mode: 0o40755, uid: 1001 }, 0, undefined],
  [{ mode: 0o40755, uid: 1001 }, 1000, "belongs to the user 1001, not to the service's"],
  [{ mode: 0o41777, uid: 0 }, 1000, 'every user of this machine may write in it (mode 0777)'],
])('of a folder %o the user %i finds: %s', (stats, own, problem) => {
  expect(findFolderProblem(stats, own)).toBe(problem);
});
