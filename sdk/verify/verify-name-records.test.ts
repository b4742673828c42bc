import { expect, test } from 'vitest';
import { verifyNameRecords } from './verify-name-records.ts';

const document = '{"name":"alice.coin","records":{"url":"https://alice.example/"},"version":1}';
const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(document));
const hash = Buffer.from(digest).toString('hex');
const answer = { name: 'alice.coin', document, hash };

test('records are read from the document that has the hash', () => {
  expect(verifyNameRecords(answer)).toEqual({ url: 'https://alice.example/' });
  expect(verifyNameRecords(answer, hash.toUpperCase())).toEqual({ url: 'https://alice.example/' });
});

test.each([
  ['another text', { ...answer, document: document.replace('alice.example', 'malory.example') }],
  ['another hash', { ...answer, hash: '00'.repeat(32) }],
  ['another name', { ...answer, name: 'bob.coin' }],
  ['no document', { ...answer, document: null }],
  ['no hash', { ...answer, hash: null }],
])('%s is not believed', (_, given) => {
  expect(verifyNameRecords(given)).toBeUndefined();
});

test('a hash that is known from elsewhere is the one that counts', () => {
  expect(verifyNameRecords(answer, '11'.repeat(32))).toBeUndefined();
  expect(verifyNameRecords(answer, null)).toBeUndefined();
});
