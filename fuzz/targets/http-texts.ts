import { accepts, chooseCoding, codings } from '../../service/src/http/content-coding.ts';
import { findDuplicateKey } from '../../service/src/http/duplicate-keys.ts';
import { matchesEtag } from '../../service/src/http/snapshot.ts';
import { parseJsonText } from '../../service/src/json-text.ts';
import { readTheme } from '../../service/src/parts/explorer/page-route.ts';
import { chooseWords, languages } from '../../service/src/parts/payments/checkout/words/choose-language.ts';
import { demand, type FuzzTarget, toText, utf8 } from '../target.ts';

/** Headers that say what a client would like, and bodies whose keys may come twice. */
export const httpTextsTarget: FuzzTarget = {
  name: 'http-texts',
  reads: 'Accept-Encoding, Accept-Language, If-None-Match, Cookie; keys of JSON, also those that come twice',
  form: 'text',
  maxBytes: 2_500,
  seeds: [
    'gzip, br;q=0.5, *;q=0',
    'de-AT,de;q=0.9,en;q=0.8',
    'W/"a", "b", *',
    'a=b; theme=dark; c',
    '{"a":{"b":[1,{"c":"\\"}"}]},"a":2}',
    '{"a":1,"\\u0061":2}',
    '{"__proto__":{"x":[]},"constructor":null}',
    '[{"a":1},{"a":1},"a","a"]',
  ].map(utf8),
  words: [
    '"a":',
    '\\u0061',
    '\\\\',
    '\\"',
    '{}',
    '[]',
    ',',
    ';q=',
    '; theme=light',
    'br',
    'W/"',
    '*',
    '__proto__',
  ],
  check(input) {
    const text = toText(input);
    const coding = chooseCoding(text);
    demand(coding === undefined || accepts(text, coding), 'a coding is one that is taken');
    for (const each of codings) demand(accepts(each, each), 'a coding alone takes itself');
    demand(languages.includes(chooseWords(text, text)), 'there are words for everybody');
    demand([undefined, 'light', 'dark'].includes(readTheme(text)), 'a page is light or dark');
    matchesEtag(text, 'W/"b"');
    const json = parse(text);
    if (json === undefined) return;
    demand(
      (findDuplicateKey(text) === undefined) === (countKeys(json.value) === countColons(text)),
      'a key that comes twice is found, and no other',
    );
  },
  growing: {
    codings: (bytes) => utf8('a;q=1,'.repeat(bytes / 6)),
    'parameters of a coding': (bytes) => utf8(`br${';a'.repeat(bytes / 2)}`),
    languages: (bytes) => utf8('de;q=0.1,'.repeat(bytes / 9)),
    'a language': (bytes) => utf8(`de${'-a'.repeat(bytes / 2)}!`),
    tags: (bytes) => utf8('"a",'.repeat(bytes / 4)),
    cookies: (bytes) => utf8('; theme='.repeat(bytes / 8)),
    spaces: (bytes) => utf8(`;${' '.repeat(bytes)}theme`),
    keys: (bytes) => utf8(`{${Array.from({ length: bytes / 9 }, (_, i) => `"${i}":1`).join()}}`),
    backslashes: (bytes) => utf8(`{"${'\\\\'.repeat(bytes / 2)}":1}`),
    // The engine's own parser takes more than twice as long for twice as much from about a megabyte on.
    'nested objects': (bytes) => {
      const depth = Math.min(bytes, 1 << 18) / 6;
      return utf8(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`);
    },
  },
};

function parse(text: string): { value: unknown } | undefined {
  try {
    return { value: parseJsonText(text) };
  } catch {
    return undefined;
  }
}

/** How many keys there are once of those that came twice the last one stayed. */
function countKeys(value: unknown): number {
  let count = 0;
  for (const open = [value]; open.length > 0; ) {
    const each = open.pop();
    if (typeof each !== 'object' || each === null) continue;
    if (!Array.isArray(each)) count += Object.keys(each).length;
    for (const inner of Object.values(each)) open.push(inner);
  }
  return count;
}

/** How many keys a text of JSON has: each is followed by a colon that is in no text. */
function countColons(text: string): number {
  return text.replace(/"(?:[^"\\]|\\.)*"/g, '').split(':').length - 1;
}
