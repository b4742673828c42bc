import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createReleaseReader, parseManifest } from './releases.ts';

const file = {
  name: 'coin-1.0.tar.gz',
  url: 'https://downloads.example/coin-1.0.tar.gz',
  sha256: 'ab'.repeat(32),
  size: 1,
};
const release = { product: 'node', version: '1.0', published_at: '2026-01-02T03:04:05Z', files: [file] };

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'releases-'));
});
afterAll(() => rm(folder, { recursive: true }));

test('without a file nothing is configured', async () => {
  const read = createReleaseReader(undefined, () => undefined);
  expect(await read()).toEqual({ configured: false, changedAtMs: undefined, items: [] });
});

test('a manifest is served, a changed one is read again, and a broken one does not replace it', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  try {
    const path = join(folder, 'releases.json');
    const problems: string[] = [];
    const read = createReleaseReader(path, (message) => problems.push(message));
    expect(await read()).toMatchObject({ configured: true, items: [] });
    expect(problems).toHaveLength(1);

    const put = async (text: string, seconds: number) => {
      await writeFile(path, text);
      await utimes(path, seconds, seconds);
      vi.advanceTimersByTime(3_000);
      return read();
    };
    expect(await put(JSON.stringify({ items: [release] }), 1_700_000_000)).toEqual({
      configured: true,
      changedAtMs: 1_700_000_000_000,
      items: [release],
    });
    expect(await put('{"items":[{}]}', 1_700_000_001)).toMatchObject({ items: [release] });
    expect(problems).toHaveLength(2);
    const second = { ...release, version: '2.0' };
    expect(await put(JSON.stringify({ items: [second, release] }), 1_700_000_002)).toMatchObject({
      items: [second, release],
    });
  } finally {
    vi.useRealTimers();
  }
});

test.each([
  ['a plain HTTP address', { url: 'http://downloads.example/x' }],
  ['a checksum that is none', { sha256: 'abc' }],
  ['a name with a path', { name: '../x' }],
  ['a size of nothing', { size: 0 }],
  ['an unknown field', { md5: 'x' }],
])('%s is refused', (_, wrong) => {
  const text = JSON.stringify({ items: [{ ...release, files: [{ ...file, ...wrong }] }] });
  expect(() => parseManifest(text)).toThrow('"items[0].files[0].');
});
