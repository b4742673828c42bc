import { expect, test } from 'vitest';
import { buildUrl } from './build-url.ts';

const call = { method: 'GET', path: '/api/v1/name/{name}' } as const;

test('half a character in a parameter is asked for as U+FFFD, as browsers send it', () => {
  expect(buildUrl('https://coin.example', { ...call, params: { name: 'a\ud83d', q: '\ude42' } })).toBe(
    'https://coin.example/api/v1/name/a%EF%BF%BD?q=%EF%BF%BD',
  );
});
