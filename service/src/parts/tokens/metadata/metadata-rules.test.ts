import type { TokenMetadataJson } from '@coinfront/api/token-metadata.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findMetadataFault } from './metadata-rules.ts';

const good: TokenMetadataJson = {
  name: 'Café 咖啡 ☕',
  description: 'قهوة, ক্ষ, नमस्ते, 👩‍👩‍👧 and more (see the terms)!',
  website: 'https://coffee.example',
  links: [{ label: 'Terms', url: 'https://xn--caf-dma.example/terms?lang=de#top' }],
};

test('takes names of all scripts, emoji, and https links', () => {
  expect(findMetadataFault(good)).toBeUndefined();
  expect(findMetadataFault({ name: 'X', description: '', website: null, links: [] })).toBeUndefined();
});

test.each([
  ['a line break', 'two\nlines'],
  ['a control', 'bell\u0007'],
  ['a delete', 'x\u007f'],
  ['a C1 control', 'x\u0085y'],
  ['a right-to-left override', 'abc\u202egnp.exe'],
  ['an isolate', 'abc\u2066def'],
  ['a direction mark', 'abc\u200fdef'],
  ['an Arabic letter mark', 'abc\u061cdef'],
  ['a zero-width space', 'abc\u200bdef'],
  ['a byte order mark', 'abc\ufeffdef'],
  ['a soft hyphen', 'abc\u00addef'],
  ['a tag character', 'abc\u{e0041}def'],
  ['a line separator', 'abc\u2028def'],
  ['a private character', 'abc\ue000def'],
  ['a character that is none', 'abc\uffffdef'],
  ['a lone surrogate', 'abc\ud800def'],
  ['a Hangul filler', 'abc\u3164def'],
  ['a blank of Braille', 'abc\u2800def'],
  ['another form than NFC', 'Cafe\u0301'],
  ['a tower of marks', `Z${'\u0300\u0316\u0301\u0317\u0302\u0318\u0303'}`.normalize('NFC')],
  ['a space at the end', 'abc '],
  ['a space of another width', 'abc\u2003def'],
  ['a no-break space', 'abc\u00a0def'],
  ['a joiner at its beginning', '\u200dabc'],
])('refuses a name with %s, and says which field', (_, name) => {
  expect(findMetadataFault({ ...good, name })).toMatch(/^"name" /);
  expect(findMetadataFault({ ...good, description: name })).toMatch(/^"description" /);
  expect(findMetadataFault({ ...good, links: [{ label: name, url: 'https://a.example' }] })).toMatch(
    /^"links\/0\/label" /,
  );
});

test('refuses names that show nothing, or are too long', () => {
  for (const name of ['', ' ', '\u200c', '\u0301'])
    expect(findMetadataFault({ ...good, name }), JSON.stringify(name)).toBeDefined();
  expect(findMetadataFault({ ...good, name: '👍'.repeat(64) })).toBeUndefined();
  expect(findMetadataFault({ ...good, name: '👍'.repeat(65) })).toContain('65 characters');
});

test.each([
  'http://a.example',
  'javascript:alert(1)',
  'data:text/html,x',
  'https:a.example',
  'https:/a.example',
  'https://',
  'https://user@a.example',
  'https://user:pass@a.example/',
  'https://a.example@b.example',
  'https://127.0.0.1',
  'https://0x7f.1',
  'https://2130706433',
  'https://[::1]/',
  'https://localhost',
  'https://intranet',
  'https://a.example.',
  'https://a..example',
  'https://A.example',
  'https://a.example:443',
  'https://a.example/x/../y',
  'https://a.example/a b',
  'https://a.example/"',
  'https://a.example/<script>',
  'https://a.example\\b',
  'https://a.example/\u202e',
  'https://аррӏе.example',
  ' https://a.example',
  'https://a.example\n',
  `https://a.example/${'x'.repeat(256)}`,
])('refuses the link %j', (url) => {
  expect(findMetadataFault({ ...good, website: url })).toMatch(/^"website" /);
  expect(findMetadataFault({ ...good, links: [{ label: 'x', url }] })).toMatch(/^"links\/0\/url" /);
});

test('never throws, whatever the text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (name, url) => {
      const fault = findMetadataFault({ ...good, name, website: `https://${url}` });
      expect(fault === undefined || /^"\w+" .+\.$/s.test(fault)).toBe(true);
    }),
  );
});
