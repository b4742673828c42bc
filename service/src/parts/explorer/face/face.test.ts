import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, onTestFinished, test } from 'vitest';
import { contrastOf } from './contrast.ts';
import { makeFaceFiles } from './face-files.ts';
import { grounds, readFace } from './read-face.ts';

const square = (size: number, height = size): Promise<Buffer> =>
  sharp({ create: { width: size, height, channels: 4, background: '#123456' } })
    .png()
    .toBuffer();

function makeDir(files: Readonly<Record<string, string | Buffer>>): string {
  const dir = mkdtempSync(join(tmpdir(), 'coinfront-face-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(dir, name), content);
  return dir;
}

const good = {
  colours: { light: '#7a1f5c', dark: '#F0A8D8' },
  links: [
    { name: 'Forum <b>', url: 'https://forum.example/?a=1&b="2"' },
    { name: 'Names', url: '/names' },
  ],
};

test('a face has colours, a mark and links, as files named by their hashes', async () => {
  const mark = await square(64);
  const read = readFace(makeDir({ 'face.json': JSON.stringify(good), 'mark.png': mark }));
  if (!read.ok) throw new Error(read.reason);
  const { files, head, foot, hasMark } = makeFaceFiles(read.value, 'A & B');
  expect(hasMark).toBe(true);
  const [png, css] = [...files];
  expect(png![0]).toMatch(/^\/face\/[\w-]{12}\.png$/);
  expect(png![1].bytes.equals(mark)).toBe(true);
  const style = css![1].bytes.toString();
  expect(style).toContain(':root{--accent:#7a1f5c;--on-accent:#ffffff}');
  expect(style).toContain(':root[data-theme="dark"]{--accent:#f0a8d8;--on-accent:#0c1513}');
  expect(style).toContain(`url("${png![0]}")`);
  expect(head!.html).toContain(`<link rel="stylesheet" href="${css![0]}">`);
  expect(foot!.html).toContain('Forum &lt;b&gt;');
  expect(foot!.html).not.toContain('"2"');
  expect(foot!.html).toContain('aria-label="A &amp; B"');
});

test('the colours that accents are measured on are those of the pages', () => {
  const css = readFileSync(new URL('../../../http/page-tokens.css', import.meta.url), 'utf8');
  const valuesOf = (name: string) =>
    [...css.matchAll(new RegExp(`--${name}: (#[0-9a-f]+);`, 'g'))].map(([, value]) =>
      value!.length === 4 ? value!.replace(/[0-9a-f]/g, '$&$&') : value,
    );
  expect([valuesOf('page'), valuesOf('card')]).toEqual([
    [grounds.light[0], grounds.dark[0], grounds.dark[0]],
    [grounds.light[1], grounds.dark[1], grounds.dark[1]],
  ]);
  expect(contrastOf('#000000', '#ffffff')).toBeCloseTo(21);
  expect(contrastOf('#767676', '#ffffff')).toBeCloseTo(4.54, 2);
});

test.each([
  ['nothing in it', {}, 'has neither face.json nor mark.png'],
  ['no JSON', { 'face.json': '{' }, 'face.json is no JSON'],
  ['a list', { 'face.json': '[]' }, 'has to be an object'],
  ['another field', { 'face.json': '{"color":"#000000"}' }, 'has "color"'],
  ['too much', { 'face.json': ' '.repeat(20_000) }, 'has 20000 bytes; 16384 at most'],
  ['a pale accent', { 'face.json': '{"colours":{"light":"#cccccc","dark":"#ffffff"}}' }, 'contrast of 1.5'],
  [
    'a dark accent at night',
    { 'face.json': '{"colours":{"light":"#000000","dark":"#222222"}}' },
    'colours.dark #222222',
  ],
  [
    'a colour that is CSS',
    { 'face.json': '{"colours":{"light":"red;}*{","dark":"#ffffff"}}' },
    'colours.light has to be',
  ],
  [
    'a script for a link',
    { 'face.json': '{"links":[{"name":"x","url":"javascript:alert(1)"}]}' },
    'links[0].url has to be',
  ],
  [
    'another origin for a path',
    { 'face.json': '{"links":[{"name":"x","url":"//evil.example"}]}' },
    'links[0].url has to be',
  ],
  [
    'another origin behind a backslash, which browsers take for a slash',
    { 'face.json': String.raw`{"links":[{"name":"x","url":"/\\evil.example"}]}` },
    'links[0].url has to be',
  ],
  [
    'a link without a name',
    { 'face.json': '{"links":[{"name":" ","url":"/names"}]}' },
    'links[0].name has to be',
  ],
  ['an SVG for a mark', { 'mark.png': '<svg onload="alert(1)"/>' }, 'mark.png is no PNG'],
] as const)('a folder with %s is refused, and the message says why', (_, files, says) => {
  const read = readFace(makeDir(files));
  expect(read.ok ? '' : read.reason).toContain(says);
});

test('a mark has to be square and of some size', async () => {
  for (const [width, height] of [
    [64, 32],
    [16, 16],
    [513, 513],
  ] as const) {
    const read = readFace(makeDir({ 'mark.png': await square(width, height) }));
    expect(read.ok ? '' : read.reason).toContain(`mark.png is ${width} x ${height}`);
  }
});
