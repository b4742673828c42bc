import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createFixtureServer } from '../testing/fixture-server.ts';
import { findDuplicateKey } from './duplicate-keys.ts';

test('what JSON.stringify writes has no key twice', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(findDuplicateKey(JSON.stringify(value, null, 1))).toBeUndefined();
    }),
  );
});

test('a key that is written twice in one object is found, wherever the object is', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.string(), fc.jsonValue(), fc.nat(2), (value, key, other, place) => {
      const pair = `${JSON.stringify(key)}:${JSON.stringify(value)}`;
      const twice = `{${pair},"\u0000 other":${JSON.stringify(other)},${pair}}`;
      const text = [twice, `[${JSON.stringify(other)},${twice}]`, `{"a":{"b":[${twice}]}}`][place]!;
      if (key !== '\u0000 other') expect(findDuplicateKey(text)).toBe(key);
    }),
  );
});

test.each([
  ['{"amount":"1","amount":"2"}', 'amount'],
  ['{"amount":"1","\\u0061mount":"2"}', 'amount'],
  ['{"a":"\\",","a\\"":1,"a":2}', 'a'],
  ['{"":1,"":2}', ''],
  ['{"a":{"a":1},"b":[{"a":1},{"a":2}]}', undefined],
  ['{"a":"b","b":"a","c":["a","a"]}', undefined],
  ['"a"', undefined],
])('in %s it is %s', (text, key) => {
  JSON.parse(text);
  expect(findDuplicateKey(text)).toBe(key);
});

test('a body with a key twice is refused, and one that hides a private key so as such', async () => {
  const { app } = createFixtureServer();
  const send = (payload: string) =>
    app.inject({
      method: 'POST',
      url: '/api/v1/broadcast',
      headers: { 'content-type': 'application/json' },
      payload,
    });
  const refused = await send('{"raw_tx":"00","raw_tx":"01"}');
  expect([refused.statusCode, refused.json().code]).toEqual([400, 'invalid_body']);
  expect(refused.json().detail).toContain('"raw_tx" twice');
  const key = 'cMahea7zqjxrtgAbB7LSGbcQUr1uX1ojuat9jZodMN87JcbXMTcA';
  const hidden = await send(`{"raw_tx":"${key}","raw_tx":"01"}`);
  expect([hidden.statusCode, hidden.json().code]).toEqual([400, 'private_key_refused']);
});
