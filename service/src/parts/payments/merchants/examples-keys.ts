/** Example bodies for the OpenAPI document: API keys. */

import type { CreatedKeyJson, KeyJson, KeyListJson, KeyRequestJson } from '@coinfront/api/merchant-keys.ts';

const operators: KeyJson = {
  id: 'key_7K3M9QX2C4TB5ZK7W2T9',
  name: null,
  scope: 'all',
  hint: 'cfk_W5ek',
  created_at: '2026-02-01T09:00:00.000Z',
  last_used_at: '2026-03-01T12:00:00.000Z',
  expires_at: null,
};

const key: KeyJson = {
  id: 'key_2C4TB5ZK7W2T9XB6C3N0',
  name: 'Web shop',
  scope: 'create',
  hint: 'cfk_AAEC',
  created_at: '2026-03-01T10:00:00.000Z',
  last_used_at: null,
  expires_at: null,
};

/** Examples of the routes about API keys. */
export const keyExamples = {
  request: { name: 'Web shop', scope: 'create' } satisfies KeyRequestJson,
  key,
  // Of the bytes 0 to 31: nobody's.
  created: { ...key, key: 'cfk_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8' } satisfies CreatedKeyJson,
  list: { items: [operators, key], next_cursor: null } satisfies KeyListJson,
};
