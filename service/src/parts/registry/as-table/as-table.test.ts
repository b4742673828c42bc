import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MAX_LINES, parseAsTable } from './parse-as-table.ts';
import { readAsTable } from './read-as-table.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coinfront-as-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function read(text: string) {
  const file = join(folder, 'table.txt');
  await writeFile(file, text);
  return readAsTable(file);
}

const reasonOf = (text: string): string => {
  const parsed = parseAsTable(Buffer.from(text));
  if (parsed.ok) throw new Error(text);
  return parsed.reason;
};

test('the longest prefix counts, in each form that is published', async () => {
  const table = await read(
    [
      '; a comment',
      '# another',
      '8.0.0.0/8 AS3356',
      '8.8.8.0\t24\t15169',
      '8.8.4.0/24\t15169_3356',
      '8.8.5.0/24 as64500,64501  # two origins',
      '8.9.0.0/16 0',
      '2001:db8::/32 64496',
      '2001:0DB8:0001::/48 AS64497\r',
      '',
      '8.8.8.8/32 64499',
    ].join('\n'),
  );
  expect(table.prefixes).toBe(8);
  expect(table.sha256).toMatch(/^[0-9a-f]{64}$/);
  const found = {
    '8.1.2.3': 3_356,
    '8.8.8.9': 15_169,
    '8.8.8.8': 64_499,
    '::ffff:8.8.8.8': 64_499,
    '8.8.4.4': 15_169,
    '8.8.5.1': 64_500,
    '8.9.1.1': undefined,
    '9.9.9.9': undefined,
    '2001:db8::1': 64_496,
    '2001:db8:1::1': 64_497,
    '2600::1': undefined,
    'no address': undefined,
  };
  for (const [address, asn] of Object.entries(found)) expect(table.find(address), address).toBe(asn);
});

test('a default route has everything that nothing else has', async () => {
  const table = await read('0.0.0.0/0 1\n::/0 2\n128.0.0.0/1 4294967295\n');
  expect([table.find('1.1.1.1'), table.find('200.1.1.1'), table.find('2600::1')]).toEqual([
    1, 4_294_967_295, 2,
  ]);
});

describe('what cannot be used is refused, and the line named', () => {
  test.each([
    ['', /no prefix/],
    ['# nothing\n\n', /no prefix/],
    ['8.8.8.0/24 1\nhello', /line 2: "hello"/],
    ['8.8.8.0/24', /line 1/],
    ['8.8.8.0/33 1', /\/33 is longer/],
    ['2001:db8::/65 1', /\/65 is longer/],
    ['8.8.8.1/24 1', /line 1: bits behind/],
    ['2001:db8:1::/32 1', /bits behind/],
    ['2001:db8::1/64 1', /no address of a prefix/],
    ['8.8.8.0/24 4294967296', /no number of an autonomous system/],
    ['8.8.8.0/24 1\n\n8.8.8.0/24 2', /8\.8\.8\.0\/24 is there twice/],
    ['2001:db8::/32 1\n2001:db8::/32 2', /2001:db8:0:0::\/32 is there twice/],
    ['300.8.8.0/24 1', /no address/],
    ['1::2::3/64 1', /no address/],
    ['1:2:3:4:5:6:7/64 1', /no address/],
    ['12345::/32 1', /no address/],
    ['8.8.8.0/24 -1', /line 1/],
    [`8.8.8.0/24 1${' '.repeat(300)}`, /longer than 200/],
    ['8.8.8.0/24 AS', /line 1/],
    ['\u0000\u0001', /line 1/],
  ])('%j', (text, reason) => {
    expect(reasonOf(text)).toMatch(reason);
  });

  test('the same line twice is no fault', () => {
    expect(parseAsTable(Buffer.from('8.8.8.0/24 1\n8.8.8.0/24 1')).ok).toBe(true);
  });

  test('a file that is not there', () => {
    expect(() => readAsTable(join(folder, 'nowhere'))).toThrow(/COINFRONT_REGISTRY_AS_TABLE: .*ENOENT/);
  });

  test('a table of ten million lines, and a file of more bytes than any', async () => {
    const file = join(folder, 'large.txt');
    await writeFile(file, '8.0.0.0/8 1\n'.repeat(10_000_000));
    expect(() => readAsTable(file)).toThrow(new RegExp(`more than ${MAX_LINES} lines`));
    const sparse = await open(file, 'w');
    await sparse.truncate(200_000_001);
    await sparse.close();
    expect(() => readAsTable(file)).toThrow(/200000001 bytes/);
  });
});
