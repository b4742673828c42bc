import { expect, test } from 'vitest';
import type { OpenApi } from '../data/open-api.ts';
import { listHeaders } from './list-headers.ts';

test('headers of answers are listed once, with the codes that have them', () => {
  const document: OpenApi = {
    info: { title: 'Test', version: '1' },
    paths: {},
    components: { headers: { ETag: { description: 'Names this state.' } } },
  };
  const etag = { ETag: { $ref: '#/components/headers/ETag' } };
  expect(
    listHeaders(
      {
        responses: {
          200: { headers: { ...etag, 'X-Chain-Height': { $ref: '#/components/headers/none' } } },
          304: { headers: etag },
          404: {},
          429: { headers: { 'Retry-After': { description: 'Seconds to wait.' } } },
        },
      },
      document,
    ),
  ).toEqual([
    { name: 'ETag', codes: ['200', '304'], description: 'Names this state.' },
    { name: 'X-Chain-Height', codes: ['200'], description: '' },
    { name: 'Retry-After', codes: ['429'], description: 'Seconds to wait.' },
  ]);
  expect(listHeaders({}, document)).toEqual([]);
});
