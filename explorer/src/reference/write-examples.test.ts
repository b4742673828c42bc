import { expect, test } from 'vitest';
import type { OpenApiOperation, PlacedOperation } from '../data/open-api.ts';
import { readBase, writeCurl, writePath, writeTypeScript } from './write-examples.ts';

const base = { origin: 'https://coin.example', prefix: '/api/v1' };

function place(method: string, path: string, operation: OpenApiOperation): PlacedOperation {
  return { method, path, operation };
}

const getBlock = place('GET', '/block/{id}', {
  parameters: [
    { name: 'id', in: 'path', schema: { type: 'string' } },
    { name: 'limit', in: 'query', schema: { type: 'integer' } },
    { name: 'If-None-Match', in: 'header' },
  ],
});

test('an address has the values that are given, and of the path what is missing', () => {
  expect(writePath(getBlock, '/api/v1', { id: 'a/b?', limit: '5', other: 'x' })).toBe(
    '/api/v1/block/a%2Fb%3F?limit=5',
  );
  expect(writePath(getBlock, '/api/v1', { limit: '' })).toBe('/api/v1/block/{id}');
});

test('a read is called with curl and with its function', () => {
  const values = { id: '812345', limit: '5' };
  expect(writeCurl(getBlock, base, values, undefined)).toBe(
    'curl "https://coin.example/api/v1/block/812345?limit=5"',
  );
  expect(writeTypeScript(getBlock, 'getBlock', base, values, undefined)).toBe(
    `import { createClient, getBlock } from '@coinfront/sdk';

const client = createClient({ baseUrl: 'https://coin.example' });
const answer = await getBlock(client, { id: '812345', limit: 5 });`,
  );
  expect(writeTypeScript(place('GET', '/fee', {}), 'getFees', base, {}, undefined)).toContain(
    'await getFees(client);',
  );
});

test('a call with a body and a key has both, and no quote ends where it stands', () => {
  const create = place('POST', '/payments', {
    security: [{ key: [] }],
    requestBody: { content: { 'application/json': {} } },
  });
  const body = { amount: '0.5', description: "Tom's", tags: ['a'], 'x-y': null };
  expect(writeCurl(create, base, {}, body)).toBe(
    `curl -X POST "https://coin.example/api/v1/payments" \\
  -H 'X-COIN-Pay-API-Key: YOUR_KEY' \\
  -H 'Content-Type: application/json' \\
  -d '{"amount":"0.5","description":"Tom'\\''s","tags":["a"],"x-y":null}'`,
  );
  const text = writeTypeScript(create, 'createPayment', base, {}, body);
  expect(text).toContain(`apiKey: 'YOUR_KEY'`);
  expect(text).toContain(`{ amount: '0.5', description: 'Tom\\'s', tags: ['a'], 'x-y': null }`);
});

test('a body that is a text or a list is the parameter of its name', () => {
  const send = place('POST', '/tx', { requestBody: { content: { 'text/plain': {} } } });
  expect(writeCurl(send, base, {}, '0200')).toContain("'Content-Type: text/plain'");
  expect(writeTypeScript(send, 'broadcastTx', base, {}, '0200')).toContain("{ raw_tx: '0200' }");
  expect(writeTypeScript(send, 'broadcastPackage', base, {}, ['0200'])).toContain("{ raw_txs: ['0200'] }");
});

test('the server of a document is a path of this origin, or an address of its own', () => {
  expect(readBase('/api/v1', 'http://127.0.0.1:8080')).toEqual({
    origin: 'http://127.0.0.1:8080',
    prefix: '/api/v1',
  });
  expect(readBase('https://coin.example/api/v1/', 'http://127.0.0.1:8080')).toEqual(base);
  expect(readBase('', 'http://127.0.0.1:8080').prefix).toBe('');
});
