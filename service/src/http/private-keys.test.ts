import { readdirSync, readFileSync } from 'node:fs';
import { findPrivateKeyInJson } from '@coinfront/protocol/private-key.ts';
import { getShippedProfile } from '@coinfront/protocol/shipped-profiles.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createKeyGuard } from './private-keys.ts';

const profile = getShippedProfile('regtest');
const keys = createKeyGuard((value) => findPrivateKeyInJson(value, profile));
const wif = 'KwDiBf89QgGbjEhKnhXJuH7LrciVrZi3qYjgd9M7rFU73sVHnoWn';

test('a key is found wherever it stands in a URL, percent-encoded or not', () => {
  const encodings = [
    (text: string) => text,
    (text: string) => text.replace(/./g, (c) => `%${c.charCodeAt(0).toString(16)}`),
  ];
  const around = fc.stringMatching(/^[a-z0]{0,10}$/);
  const separators = fc.constantFrom('/', '?q=', '&', '=', '%20', '+', '%2F', '"', ':');
  fc.assert(
    fc.property(
      around,
      separators,
      separators,
      around,
      fc.constantFrom(...encodings),
      (a, before, after, b, encode) => {
        expect(() => keys.checkUrl(`/${a}${before}${encode(wif)}${after}${b}`)).toThrow('private key');
      },
    ),
  );
});

test('a mnemonic is found with each separator that a form or a person would use', () => {
  const words = 'legal winner thank year wave sausage worth useful legal winner thank yellow'.split(' ');
  for (const separator of [
    '+',
    '%20',
    ',',
    '-',
    '%2C%20',
    '%0A',
    '_',
    '%0D%0A',
    '%C2%A0',
    '%E3%80%80',
    '1',
    '%2520',
    '/',
    '%09',
    '.%20',
  ]) {
    expect(() => keys.checkUrl(`/api/v1/search?q=${words.join(separator)}`), separator).toThrow(
      'private key',
    );
  }
});

test('hashes and hex are never taken for a key', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 20, maxLength: 100 }), (bytes) => {
      keys.checkUrl(
        `/api/v1/tx/${Buffer.from(bytes).toString('hex')}?cursor=${Buffer.from(bytes.subarray(0, 30)).toString('base64url')}`,
      );
    }),
  );
});

test('no documented example is taken for a key, nor any text of the documents', () => {
  const folder = new URL('../../../docs/openapi/', import.meta.url);
  const documents = readdirSync(folder).filter((name) => name.endsWith('.json'));
  expect(documents.length).toBeGreaterThan(5);
  for (const name of documents) {
    const examples: unknown[] = [];
    JSON.parse(readFileSync(new URL(name, folder), 'utf8'), (key, value) => {
      if (key === 'example' || key === 'description') examples.push(value);
      return value;
    });
    expect(examples.length).toBeGreaterThan(10);
    for (const example of examples) keys.check(example);
  }
});

test('the pages and calls that people make are no keys', () => {
  const address = 'mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn';
  for (const url of [
    `/api/v1/address/${address}/txs?limit=25&cursor=AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8gISIjJCUmJygpKissLS4v`,
    `/api/v1/search?q=${encodeURIComponent('order 42: coffee and cake for the whole team, please deliver before noon')}`,
    `/pay/VP-0123456789AB?label=${encodeURIComponent('Café “Zur Post”, Tisch 5 – zwei Kaffee')}`,
    `/api/v1/utxos/${address}/%E0%A4%A`,
  ]) {
    keys.checkUrl(url);
  }
});
