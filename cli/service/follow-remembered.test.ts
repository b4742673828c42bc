import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LogError } from '@coinfront/sdk/verify/log-error.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readHeads } from '../cache/log-heads.ts';
import type { Context } from '../shell/context.ts';
import { followRemembered, type RememberedLog } from './follow-remembered.ts';

const [KEY, OTHER] = ['ab'.repeat(32), 'cd'.repeat(32)];
const noteOf = (key: string, size: number, root = 'root') => `a-log/${key}\n${size}\n${root}\n\n`;

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'coinfront-remembered-'));
  // Nobody has made a wallet yet.
  path = join(folder, '.coin', 'wallet.json');
});
afterEach(() => rmSync(folder, { recursive: true }));

type Log = RememberedLog<{ note: string | undefined }>;
const follow = (more: Partial<Log>) =>
  followRemembered({ options: { wallet: path } } as unknown as Context, {
    ...{ name: 'a log', title: 'the log', shownKey: KEY },
    follow: async (key) => ({ note: noteOf(key, 1) }),
    ...more,
  });
const remembered = async () => (await readHeads(path))['a log']?.note;

test('a log is read by the key that was seen first, and from the checkpoint that was seen last', async () => {
  expect(await follow({})).toEqual({ note: noteOf(KEY, 1), knownSince: undefined });
  const asked: unknown[] = [];
  const grown = await follow({
    follow: async (...about) => {
      asked.push(about);
      return { note: noteOf(KEY, 2) };
    },
  });
  expect([asked, grown?.knownSince]).toEqual([[[KEY, noteOf(KEY, 1)]], expect.any(String)]);
  expect(await remembered()).toBe(noteOf(KEY, 2));
});

test('another key is refused, and takes the place of the one before where the user names it', async () => {
  await follow({});
  await expect(follow({ shownKey: OTHER })).rejects.toMatchObject({ code: 'log_other_key', exitCode: 6 });
  await expect(follow({ shownKey: OTHER, namedKeys: [KEY] })).rejects.toMatchObject({
    code: 'log_other_key',
  });
  await expect(follow({ shownKey: null })).rejects.toMatchObject({ code: 'log_gone' });
  expect(await remembered()).toBe(noteOf(KEY, 1));
  expect(await follow({ shownKey: OTHER, namedKeys: [KEY, OTHER] })).toMatchObject({ knownSince: undefined });
  expect(await remembered()).toBe(noteOf(OTHER, 1));
});

test('what does not go on is told with both checkpoints, and the one of before stays', async () => {
  await follow({});
  const shown = noteOf(KEY, 1, 'another root');
  const forked = follow({
    follow: async (_, kept) => {
      throw new LogError('log_forked', { remembered: kept, shown });
    },
  });
  await expect(forked).rejects.toMatchObject({
    ...{ code: 'log_forked', facts: { remembered: noteOf(KEY, 1), shown } },
    message: expect.stringMatching(/WARNING: the log was changed.*they prove it/),
  });
  expect(await remembered()).toBe(noteOf(KEY, 1));
});

test('where there is no key, or no log, nothing is remembered', async () => {
  expect(await follow({ shownKey: null })).toBeUndefined();
  expect(await follow({ follow: async () => ({ note: undefined }) })).toEqual({
    note: undefined,
    knownSince: undefined,
  });
  expect(await remembered()).toBeUndefined();
});

test('what another command remembers meanwhile stays, of other logs and of this one', async () => {
  await follow({});
  const slow = follow({
    follow: async () => {
      await follow({ name: 'another log' });
      await follow({ follow: async () => ({ note: noteOf(KEY, 3) }) });
      return { note: noteOf(KEY, 2) };
    },
  });
  expect(await slow).toMatchObject({ note: noteOf(KEY, 2) });
  expect((await readHeads(path))['another log']?.note).toBe(noteOf(KEY, 1));
  expect(await remembered()).toBe(noteOf(KEY, 3));
});

test('where the service was not asked for its key, what is remembered is followed, and nothing else', async () => {
  const asked: string[] = [];
  const known: Partial<Log> = {
    shownKey: undefined,
    follow: async (key) => {
      asked.push(key);
      return { note: noteOf(key, 1) };
    },
  };
  expect(await follow(known)).toBeUndefined();
  expect([asked, await remembered()]).toEqual([[], undefined]);
  await follow({});
  expect(await follow(known)).toMatchObject({ knownSince: expect.any(String) });
  expect(asked).toEqual([KEY]);
  const gone = { ...known, follow: () => Promise.reject(new LogError('log_gone', { remembered: 'note' })) };
  await expect(follow(gone)).rejects.toMatchObject({ code: 'log_gone', exitCode: 6 });
});
