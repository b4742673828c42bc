import { createBase58check } from '@scure/base';
import { entropyToMnemonic } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { encodeAddress, pubKeyHashScript } from './address.ts';
import { bytesToHex } from './bytes.ts';
import { sha256 } from './hash.ts';
import { findPrivateKey, findPrivateKeyInJson } from './private-key.ts';
import { witnessScript } from './script.ts';
import { bitcoin, dogecoin, litecoin, regtest } from './testing/profiles.ts';
import { walletStandard } from './wallet-standard.ts';

const base58check = createBase58check(sha256);
const words = fc
  .tuple(fc.constantFrom(16, 20, 24, 28, 32), fc.infiniteStream(fc.nat(255)))
  .map(([size, stream]) => entropyToMnemonic(Uint8Array.from(stream.take(size)), wordlist).split(' '));
const gapOfAny = fc.constantFrom(' ', '\n', '\t', ', ', '-', '_', ' | ', '\u00a0', '. ', ' 1 ');
const secret = fc.uint8Array({ minLength: 32, maxLength: 32 });
const surroundings = fc.constantFrom('', ' ', '"', '=', ':', '\n', '{"key":"', '&', '0', 'é', '_', '-');

// Published: BIP-32 test vector 1, and a P2PKH key of the Bitcoin wiki.
const XPRV =
  'xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi';
const XPUB =
  'xpub661MyMwAqRbcFtXgS5sYJABqqG9YLmC4Q1Rdap9gSE8NqtwybGhePY2gZ29ESFjqJoCu1Rupje8YtGqsefD265TMg7usUDFdp6W1EGMcet8';
const WIF = '5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ';
const WORDS = 'legal winner thank year wave sausage worth useful legal winner thank yellow';

describe('findPrivateKey', () => {
  test.each([
    ['a published WIF', WIF, 'wif'],
    ['a WIF of litecoind', 'cSkELYQop4D4LWFudYZaRV4gU49QVE9ypymooq8aUT9Pd1EkqBSW', 'wif'],
    ['a published xprv', XPRV, 'extended_private_key'],
    ['a mnemonic', WORDS, 'mnemonic'],
    ['a mnemonic in capitals', WORDS.toUpperCase(), 'mnemonic'],
    ['a mnemonic in a form body', `seed=${WORDS.replaceAll(' ', '+')}`, 'mnemonic'],
    ['a mnemonic in a URL', `?q=${WORDS.replaceAll(' ', '%20')}`, 'mnemonic'],
    ['a mnemonic on lines', WORDS.replaceAll(' ', '\r\n'), 'mnemonic'],
    ['a mnemonic in JSON', JSON.stringify({ description: `my words: ${WORDS}.` }), 'mnemonic'],
    ['a descriptor', `wpkh(${XPRV}/84'/0'/0'/0/*)`, 'extended_private_key'],
  ])('finds %s', (_name, text, kind) => {
    expect(findPrivateKey(text, regtest)).toBe(kind);
  });

  test('finds every WIF key, compressed or not, of every coin, wherever it stands', () => {
    fc.assert(
      fc.property(
        secret,
        fc.boolean(),
        fc.constantFrom(128, 158, 176, 239, 255, regtest.wifVersion),
        surroundings,
        surroundings,
        (key, compressed, version, before, after) => {
          const wif = base58check.encode(Uint8Array.of(version, ...key, ...(compressed ? [1] : [])));
          expect(findPrivateKey(before + wif + after, bitcoin)).toBe('wif');
        },
      ),
    );
  });

  test("finds a WIF key with the coin's own version, however low", () => {
    const wif = base58check.encode(Uint8Array.of(3, ...new Uint8Array(32).fill(9), 1));
    expect(findPrivateKey(wif, { wifVersion: 3 })).toBe('wif');
  });

  test('finds extended private keys of every prefix, and no public ones', () => {
    const body = fc.uint8Array({ minLength: 78, maxLength: 78 });
    fc.assert(
      fc.property(
        body,
        fc.constantFrom(0x0488ade4, 0x04358394, 0x049d7878, 0x04b2430c, 0x02fac398),
        (raw, version) => {
          new DataView(raw.buffer).setUint32(0, version);
          raw[45] = 0;
          expect(findPrivateKey(`key ${base58check.encode(raw)}`, bitcoin)).toBe('extended_private_key');
          raw[45] = 2;
          expect(findPrivateKey(`key ${base58check.encode(raw)}`, bitcoin)).toBeUndefined();
        },
      ),
    );
    expect(findPrivateKey(XPUB, bitcoin)).toBeUndefined();
  });

  test.each([
    'Three large pizzas with extra cheese, olives, fresh tomatoes, peppers, onions, mushrooms, garlic, basil',
    'monthly hosting plan small server annual billing three months prepaid discount applied invoice number',
    'Order from our spring sale: green garden chair, round wooden table, metal lamp, rubber boots, paper',
  ])('takes honest words for no mnemonic: %s', (text) => {
    expect(findPrivateKey(text, regtest)).toBeUndefined();
  });

  test('finds a mnemonic whose checksum is wrong, and one among other words', () => {
    const wrong = WORDS.replace('yellow', 'zoo');
    expect(findPrivateKey(wrong, regtest)).toBe('mnemonic');
    expect(findPrivateKey(`these are my secret words: ${wrong} keep them`, regtest)).toBe('mnemonic');
    expect(findPrivateKey(WORDS.split(' ').slice(1).join(' '), regtest)).toBeUndefined();
  });

  test('takes no raw transaction, txid, digest or address for a key', () => {
    const profile = fc.constantFrom(bitcoin, litecoin, dogecoin, regtest);
    const bytes = fc.oneof(
      secret,
      fc.uint8Array({ minLength: 20, maxLength: 20 }),
      fc.uint8Array({ maxLength: 500 }),
    );
    fc.assert(
      fc.property(bytes, profile, (raw, coin) => {
        const texts = [bytesToHex(raw), bytesToHex(raw).toUpperCase(), base58check.encode(raw)];
        if (raw.length === 20) {
          texts.push(
            encodeAddress(pubKeyHashScript(raw), coin)!,
            encodeAddress(witnessScript(1, raw), bitcoin)!,
          );
        }
        // Base58check of 33 bytes would be a key; of these lengths it is none.
        for (const text of texts.filter((_, i) => i !== 2 || ![33, 34, 78].includes(raw.length))) {
          expect(findPrivateKey(JSON.stringify({ raw_tx: text }), coin)).toBeUndefined();
        }
      }),
    );
  });

  test.each([
    ['a sentence', 'Payment for two cups of coffee, a cake and the newspaper of the day before yesterday.'],
    ['11 words', WORDS.split(' ').slice(1).join(' ')],
    ['one word over and over', 'test '.repeat(30)],
    ['a list that repeats itself', 'width, height, depth, '.repeat(9)],
    ['11 words on lines', WORDS.split(' ').slice(1).join('\n')],
    ['a mistyped WIF', `${WIF.slice(0, -1)}K`],
    ['a template of the wallet standard', walletStandard(regtest).payment_uri.template],
    ['nothing', ''],
  ])('finds nothing in %s', (_name, text) => {
    expect(findPrivateKey(text, regtest)).toBeUndefined();
  });

  test('finds a mnemonic with anything between its words that has no letters', () => {
    const gap = fc.oneof(
      fc.constantFrom(
        ' ',
        '\n',
        '\r\n',
        '\t',
        ', ',
        '-',
        '_',
        '|',
        ' / ',
        '\u00a0',
        '\u3000',
        '\u200b',
        ' – ',
        ' 🔑 ',
        '·',
      ),
      fc.string({
        unit: fc.constantFrom(...' \n\t,.;:-_/|#*()[]{}"\'0123456789'),
        minLength: 1,
        maxLength: 6,
      }),
    );
    const spell = fc.constantFrom<(word: string) => string>(
      (word) => word,
      (word) => word.toUpperCase(),
      (word) => word[0]!.toUpperCase() + word.slice(1),
    );
    fc.assert(
      fc.property(words, spell, fc.array(gap, { minLength: 24, maxLength: 24 }), (list, write, gaps) => {
        const text = list.map((word, i) => write(word) + gaps[i]).join('');
        expect(findPrivateKey(`These are my words: ${text} so keep them.`, regtest)).toBe('mnemonic');
      }),
    );
  });

  test('finds a mnemonic that is numbered in any way', () => {
    const number: ((i: number) => string)[] = [
      (i) => `${i + 1}. `,
      (i) => `${i + 1}) `,
      (i) => `#${i + 1}: `,
      (i) => `word ${i + 1}: `,
      (i) => `${['1st', '2nd', '3rd'][i] ?? `${i + 1}th`} `,
    ];
    for (const write of number) {
      const text = WORDS.split(' ')
        .map((word, i) => write(i) + word)
        .join('\n');
      expect(findPrivateKey(text, regtest), text).toBe('mnemonic');
    }
  });

  test('finds the first four letters of the words of a mnemonic, and none of other words', () => {
    fc.assert(
      fc.property(words, gapOfAny, (list, gap) => {
        const cut = list.map((word) => word.slice(0, 4));
        expect(findPrivateKey(`my seed ${cut.join(gap)} ok`, regtest)).toBe('mnemonic');
      }),
    );
    // The last word carries the checksum.
    const wrong = WORDS.replace('yellow', 'zoo').split(' ');
    expect(findPrivateKey(wrong.map((word) => word.slice(0, 4)).join(' '), regtest)).toBeUndefined();
  });

  test('finds a mnemonic that was copied from a typeset page', () => {
    const typeset = 'ofﬁce ﬂag oﬀer ﬁnd sniﬀ ﬁeld ﬂoat cliﬀ ﬁrst ﬂuid staﬀ ﬁnal';
    expect(findPrivateKey(typeset, regtest)).toBe('mnemonic');
  });

  test('finds a key that is wrapped or grouped', () => {
    for (const key of [WIF, XPRV]) {
      for (const width of [8, 20, 40, 64]) {
        for (const gap of ['\n', ' ', '\r\n  ', '\t']) {
          const pieces = key.match(new RegExp(`.{1,${width}}`, 'g'))!;
          const text = `The key is: ${pieces.join(gap)}.`;
          expect(findPrivateKey(text, regtest), text).toBeDefined();
          expect(findPrivateKeyInJson({ lines: pieces }, regtest), text).toBeDefined();
        }
      }
    }
    expect(findPrivateKey(`key ${WIF.match(/.{1,4}/g)!.join(' ')} end`, regtest)).toBe('wif');
  });

  test('gives up on a text in which everything has the form of a key, and says so', () => {
    const forms = [`K${'z'.repeat(51)} `, `x${'Z1'.repeat(55)} `, 'aban '.repeat(13)];
    for (const form of forms) expect(findPrivateKey(form, regtest)).toBeUndefined();
    for (const form of forms) {
      expect(findPrivateKey(form.repeat(2_000), regtest)).toBe('too_many_candidates');
    }
    // Hexadecimal digits without a zero are of base58, too.
    expect(findPrivateKey(`${'a1'.repeat(26)}0`.repeat(20_000), regtest)).toBeUndefined();
  });

  test('normalises no more than a character at a time, for the time of that grows with the square of its marks', () => {
    const normalize = vi.spyOn(String.prototype, 'normalize');
    expect(findPrivateKey(`\ufb01${'\u0301'.repeat(50)}${'\u0316'.repeat(50)}`, bitcoin)).toBeUndefined();
    expect(normalize.mock.contexts.map((text: unknown) => String(text).length)).toEqual([1]);
    normalize.mockRestore();
  });

  test('looks through megabytes of hostile text whole', () => {
    const size = 1_000_000;
    for (const unit of ['a', 'ab ', '1', 'deadbeef0', 'abc\n\n\n', '%20', 'abandon x ']) {
      const text = unit.repeat(Math.ceil(size / unit.length));
      expect(findPrivateKey(`${text} ${WIF}`, regtest)).toBe('wif');
    }
  });
});

describe('findPrivateKeyInJson', () => {
  /** Spreads words over strings and these over a value, in the order in which JSON writes them. */
  const spread = (list: readonly string[], choices: readonly number[]): unknown => {
    let next = 0;
    const choose = (count: number): number => (choices[next++ % choices.length] ?? 0) % count;
    const nest = (part: readonly string[], depth: number): unknown => {
      const shape = depth > 4 ? 0 : choose(4);
      if (part.length < 2 || shape === 0) return part.join([' ', '\n', ', ', '-'][choose(4)]);
      const middle = 1 + choose(part.length - 1);
      const halves = [part.slice(0, middle), part.slice(middle)] as const;
      if (shape === 1) return halves.map((half) => nest(half, depth + 1));
      if (shape === 2) return { a: nest(halves[0], depth + 1), n: 5, b: nest(halves[1], depth + 1) };
      return [[nest(halves[0], depth + 1), null], [[{ w1: nest(halves[1], depth + 1) }]]];
    };
    return nest(list, 0);
  };

  test('finds a mnemonic however it is spread over arrays and fields', () => {
    fc.assert(
      fc.property(words, fc.array(fc.nat(), { minLength: 40, maxLength: 60 }), (list, choices) => {
        const value = { note: 'hi', description: spread(list, choices) };
        expect(findPrivateKeyInJson(value, regtest), JSON.stringify(value)).toBe('mnemonic');
      }),
    );
  });

  test('finds it in the names of fields, and among names and values', () => {
    const list = WORDS.split(' ').map((word, i) => (i > 7 ? `${i} ${word}` : word));
    expect(findPrivateKeyInJson(Object.fromEntries(list.map((word) => [word, 1])), regtest)).toBe('mnemonic');
    const pairs = list.flatMap((word, i) => (i % 2 === 0 ? [[word, list[i + 1]]] : []));
    expect(findPrivateKeyInJson(Object.fromEntries(pairs), regtest)).toBe('mnemonic');
  });

  test('finds nothing in honest values, however deep', () => {
    const deep = JSON.parse(`${'['.repeat(30_000)}${']'.repeat(30_000)}`);
    const sentence = fc
      .array(
        fc.constantFrom(
          'the',
          'coffee',
          'and',
          'for',
          'order',
          'green',
          'paid',
          'to',
          'of',
          'a',
          'shop',
          'is',
        ),
      )
      .map((list) => list.join(' '));
    expect(findPrivateKeyInJson(deep, regtest)).toBeUndefined();
    fc.assert(
      fc.property(
        fc.object({ values: [sentence, fc.double(), fc.boolean(), fc.uuid(), fc.webUrl()] }),
        (value) => {
          expect(findPrivateKeyInJson(value, regtest)).toBeUndefined();
        },
      ),
    );
  });
});
