import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { checkSettings } from './settings-rules.ts';

const nothingOpened = () => false;
const check = (body: Parameters<typeof checkSettings>[0]) => checkSettings(body, nothingOpened);
const draw = (width: number, height: number, noise = false) =>
  sharp({
    create: {
      width,
      height,
      channels: 3,
      background: '#7a4b2a',
      ...(noise ? { noise: { type: 'gaussian' as const, mean: 128, sigma: 60 } } : {}),
    },
  });

function codeOf(body: Parameters<typeof checkSettings>[0]): [string, string] {
  try {
    check(body);
    return ['taken', ''];
  } catch (error) {
    const { code, message } = error as { code: string; message: string };
    return [code, message];
  }
}

test('nothing given is nothing set', () => {
  expect(check({})).toEqual({ name: null, mark: null, embedOrigins: [] });
  expect(check({ name: null, mark: null, embed_origins: [] })).toEqual(check({}));
});

test('origins are normalised, and named once', () => {
  const { embedOrigins } = check({ embed_origins: ['https://SHOP.example/', 'https://shop.example'] });
  expect(embedOrigins).toEqual(['https://shop.example']);
  expect(codeOf({ embed_origins: ['https://shop.example', 'https://*.shop.example'] })).toEqual([
    'embed_origin_refused',
    expect.stringMatching(/^"embed_origins\/1" /),
  ]);
});

test.each([
  ['a change of direction', 'Shop \u202e gnp'],
  ['a line break', 'Shop\nPaid'],
  ['nothing to see', ' '],
  ['too much of it', 'x'.repeat(61)],
  ['half a character', 'Shop \ud800'],
])('a name with %s is refused', (_, name) => {
  expect(codeOf({ name })).toEqual(['invalid_body', expect.stringMatching(/^"name" /)]);
});

test('a name in any script is taken as it is', () => {
  for (const name of ['Kaffeerösterei <b>', 'קפה', '咖啡 ☕️ 👩‍🍳']) expect(check({ name }).name).toBe(name);
});

describe('a mark', () => {
  test('is taken as PNG and WebP, with the size that its bytes say', async () => {
    for (const kind of ['png', 'webp'] as const) {
      const base64 = (await draw(512, 3).toFormat(kind).toBuffer()).toString('base64');
      expect(check({ mark: base64 }).mark).toEqual({ kind, base64, width: 512, height: 3 });
    }
  });

  const png = () => draw(8, 8).png().toBuffer();
  const refused: [string, RegExp, () => Promise<Buffer | string>][] = [
    ['a JPEG', /is a JPEG/, () => draw(8, 8).jpeg().toBuffer()],
    [
      'an SVG',
      /is no PNG/,
      async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
    ],
    ['HTML', /is no PNG/, async () => Buffer.from('<script>alert(1)</script>')],
    [
      'a PNG with something behind it',
      /bytes after its end/,
      async () => Buffer.concat([await png(), Buffer.from('<script>')]),
    ],
    ['a PNG that is cut off', /is cut off/, async () => (await png()).subarray(0, -4)],
    ['one that is too wide', /513 times 8 pixels/, () => draw(513, 8).png().toBuffer()],
    ['one that is too high', /8 times 513 pixels/, () => draw(8, 513).webp().toBuffer()],
    [
      'one of too many bytes',
      /bytes; 16384 are accepted/,
      () => draw(128, 128, true).png({ compressionLevel: 0 }).toBuffer(),
    ],
    ['an animation', /is animated/, async () => animate(await png())],
    ['no base64', /is no base64/, async () => 'not base64!'],
    ['base64 for URLs', /is no base64/, async () => (await png()).toString('base64url')],
    ['an end of its attribute', /is no base64/, async () => '" onerror="alert(1)'],
  ];
  test.each(refused)('that is %s is refused', async (_, reason, make) => {
    const made = await make();
    const mark = typeof made === 'string' ? made : made.toString('base64');
    expect(codeOf({ mark })).toEqual(['mark_invalid', expect.stringMatching(reason)]);
  });
});

/** A PNG that says it has frames: the chunk is read by its name, before its check sum. */
function animate(png: Buffer): Buffer {
  const control = Buffer.concat([
    Buffer.from([0, 0, 0, 8]),
    Buffer.from('acTL'),
    Buffer.alloc(8),
    Buffer.alloc(4),
  ]);
  return Buffer.concat([png.subarray(0, 33), control, png.subarray(33)]);
}
