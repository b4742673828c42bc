import { randomBytes } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { readImageHeader } from '../../../image-header.ts';
import { createLogoRenderer, LogoQueueFullError } from './render-logo.ts';

const renderLogo = createLogoRenderer();

/** Noise, so that nothing is compressed away. */
function noise(width: number, height: number, channels: 3 | 4 = 3) {
  return sharp(randomBytes(width * height * channels), { raw: { width, height, channels } });
}

function chunk(type: string, data: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(data.length);
  head.write(type, 4, 'latin1');
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc(Buffer.concat([head.subarray(4), data])));
  return Buffer.concat([head, data, sum]);
}

function crc(bytes: Buffer): number {
  let value = ~0;
  for (const byte of bytes) {
    value ^= byte;
    for (let bit = 0; bit < 8; bit++) value = (value >>> 1) ^ (value & 1 ? 0xedb88320 : 0);
  }
  return ~value >>> 0;
}

/** A PNG of one bit a pixel by hand: tiny as a file, of any claimed size. */
function makePng(width: number, height: number, rows = height): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 1;
  const pixels = deflateSync(Buffer.alloc((1 + Math.ceil(width / 8)) * rows), { level: 9 });
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function listChunks(png: Buffer): string[] {
  const types: string[] = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at))
    types.push(png.toString('latin1', at + 4, at + 8));
  return types;
}

test.each(['png', 'jpeg', 'webp'] as const)('makes a small clean PNG of a %s', async (kind) => {
  const file = await noise(300, 150)
    .withExif({ IFD0: { Copyright: 'secret place' } })
    .toFormat(kind, { quality: 40 })
    .toBuffer();
  const rendered = await renderLogo(file);
  if (!rendered.ok) throw new Error(rendered.reason);
  const { png, width, height, sha256 } = rendered.value;
  expect([width, height]).toEqual([256, 128]);
  expect(await sharp(png).metadata()).toMatchObject({ format: 'png', width: 256, height: 128 });
  expect(png.includes('secret place')).toBe(false);
  expect(new Set(listChunks(png))).toEqual(new Set(['IHDR', 'pHYs', 'IDAT', 'IEND']));
  expect(sha256).toMatch(/^[0-9a-f]{64}$/);
});

test('keeps what is small as it is, with its transparency, and turns what a camera turned', async () => {
  const small = await renderLogo(await noise(31, 17, 4).png().toBuffer());
  expect(small.ok && [small.value.width, small.value.height]).toEqual([31, 17]);
  expect(small.ok && (await sharp(small.value.png).metadata()).hasAlpha).toBe(true);
  const turned = await renderLogo(await noise(40, 20).withMetadata({ orientation: 6 }).jpeg().toBuffer());
  expect(turned.ok && [turned.value.width, turned.value.height]).toEqual([20, 40]);
  const palette = await renderLogo(await noise(20, 20).png({ palette: true }).toBuffer());
  expect(palette.ok).toBe(true);
  const lossless = await renderLogo(await noise(20, 30).webp({ lossless: true }).toBuffer());
  expect(lossless.ok && [lossless.value.width, lossless.value.height]).toEqual([20, 30]);
  const alpha = await renderLogo(await noise(20, 30, 4).webp({ quality: 50 }).toBuffer());
  expect(alpha.ok).toBe(true);
});

const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>';

test('refuses what is no PNG, JPEG or WebP, whatever it pretends', async () => {
  const gif = await noise(8, 8).gif().toBuffer();
  const tiff = await noise(8, 8).tiff().toBuffer();
  const avif = await noise(16, 16).avif({ effort: 0 }).toBuffer();
  const files = [
    Buffer.from(svg),
    Buffer.from(`\ufeff  ${svg}`),
    gif,
    tiff,
    avif,
    Buffer.from('%PDF-1.7\n'),
    Buffer.from('<html>'),
    Buffer.alloc(0),
    Buffer.of(0xff),
    Buffer.from('GIF89a\u0089PNG'),
    Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.from(svg)]),
    Buffer.concat([Buffer.from('ffd8', 'hex'), Buffer.from(svg), Buffer.from('ffd9', 'hex')]),
    Buffer.concat([Buffer.from('RIFF\x04\0\0\0WEBP'), Buffer.from(svg)]),
  ];
  for (const file of files) expect((await renderLogo(file)).ok, file.toString('latin1', 0, 20)).toBe(false);
});

test('refuses polyglots: bytes after the end of the image', async () => {
  for (const kind of ['png', 'jpeg', 'webp'] as const) {
    const file = await noise(8, 8).toFormat(kind).toBuffer();
    for (const more of [svg, 'PK\x05\x06', '<script>'])
      expect(await renderLogo(Buffer.concat([file, Buffer.from(more)]))).toMatchObject({ ok: false });
  }
});

test('what hides inside of an image is gone in what is shown', async () => {
  const file = await noise(8, 8).jpeg().toBuffer();
  const comment = Buffer.from(`\xff\xfe\x00\x20<script>alert(document)</scrip>`, 'latin1');
  const rendered = await renderLogo(Buffer.concat([file.subarray(0, 2), comment, file.subarray(2)]));
  expect(rendered.ok && rendered.value.png.includes('script')).toBe(false);
  const png = await noise(8, 8).png().toBuffer();
  const text = chunk('tEXt', Buffer.from('Comment\0<script>alert(1)</script>'));
  const cleaned = await renderLogo(Buffer.concat([png.subarray(0, 33), text, png.subarray(33)]));
  expect(cleaned.ok && cleaned.value.png.includes('script')).toBe(false);
});

test('refuses decompression bombs by their header, and decodes the largest that it takes', async () => {
  const bomb = makePng(60_000, 60_000, 100);
  expect(bomb.length).toBeLessThan(10_000);
  expect(await renderLogo(bomb)).toMatchObject({ ok: false, reason: expect.stringContaining('60000') });
  expect(await renderLogo(makePng(4097, 1))).toMatchObject({ ok: false });
  expect(await renderLogo(makePng(0xffffffff, 0xffffffff, 1))).toMatchObject({ ok: false });
  const largest = await renderLogo(makePng(4096, 4096));
  expect(largest.ok && [largest.value.width, largest.value.height]).toEqual([256, 256]);
});

test('refuses what is cut off anywhere, or damaged', async () => {
  for (const kind of ['png', 'jpeg', 'webp'] as const) {
    const file = await noise(64, 64).toFormat(kind).toBuffer();
    for (let length = 0; length < file.length; length += 97)
      expect(await renderLogo(file.subarray(0, length)), `${kind} ${length}`).toMatchObject({ ok: false });
  }
  // The rows that the header claims are not there.
  expect(await renderLogo(makePng(64, 64, 3))).toMatchObject({ ok: false });
  const broken = makePng(64, 64);
  broken[45]! ^= 0xff;
  expect(await renderLogo(broken)).toMatchObject({ ok: false });
});

test('refuses animations', async () => {
  const frames = await sharp(randomBytes(8 * 16 * 3), {
    raw: { width: 8, height: 16, channels: 3, pageHeight: 8 },
  })
    .webp({ loop: 0, delay: [100, 100] })
    .toBuffer();
  expect(await renderLogo(frames)).toMatchObject({ ok: false, reason: 'is animated' });
  const png = makePng(8, 8);
  const control = chunk('acTL', Buffer.from('0000000200000000', 'hex'));
  expect(await renderLogo(Buffer.concat([png.subarray(0, 33), control, png.subarray(33)]))).toMatchObject({
    ok: false,
    reason: 'is animated',
  });
});

test('no bytes make it throw; changed images are decoded or refused', async () => {
  const files = await Promise.all(
    (['png', 'jpeg', 'webp'] as const).map((kind) => noise(24, 24).toFormat(kind).toBuffer()),
  );
  for (let i = 0; i < 300; i++) {
    const file = Buffer.from(files[i % 3]!);
    for (let change = 0; change <= i % 4; change++) {
      const [place, value] = randomBytes(4);
      file[(place! * 256 + i * 31) % file.length] = value!;
    }
    const rendered = await renderLogo(file);
    if (rendered.ok) expect(readImageHeader(rendered.value.png)).toMatchObject({ ok: true });
  }
  for (let i = 0; i < 300; i++) expect((await renderLogo(randomBytes(i))).ok).toBe(false);
});

test('decodes one at a time, and sends the many away', async () => {
  const file = await noise(64, 64).png().toBuffer();
  const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => renderLogo(file)));
  const done = outcomes.filter(({ status }) => status === 'fulfilled');
  expect(done).toHaveLength(8);
  for (const outcome of outcomes)
    if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(LogoQueueFullError);
  expect((await renderLogo(file)).ok).toBe(true);
});
