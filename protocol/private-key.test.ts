import { createBase58check } from '@scure/base';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodeAddress, pubKeyHashScript } from './address.ts';
import { bytesToHex } from './bytes.ts';
import { sha256 } from './hash.ts';
import { findPrivateKey } from './private-key.ts';
import { witnessScript } from './script.ts';
import { bitcoin, dogecoin, litecoin, regtest } from './testing/profiles.ts';
import { walletStandard } from './wallet-standard.ts';

const base58check = createBase58check(sha256);
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
    ['words with punctuation', WORDS.replaceAll(' ', ', ')],
    ['a mistyped WIF', `${WIF.slice(0, -1)}K`],
    ['a template of the wallet standard', walletStandard(regtest).payment_uri.template],
    ['nothing', ''],
  ])('finds nothing in %s', (_name, text) => {
    expect(findPrivateKey(text, regtest)).toBeUndefined();
  });

  test('looks through megabytes of hostile text whole', () => {
    const size = 1_000_000;
    for (const unit of [
      'a',
      'ab ',
      '1',
      'deadbeef0',
      'abc\n\n\n',
      '%20',
      `${'z'.repeat(52)} `,
      `${'z'.repeat(111)} `,
    ]) {
      const text = unit.repeat(Math.ceil(size / unit.length / (unit.length > 50 ? 50 : 1)));
      expect(findPrivateKey(`${text} ${WIF}`, regtest)).toBe('wif');
    }
  });
});
