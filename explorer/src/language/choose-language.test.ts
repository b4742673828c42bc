import { expect, test } from 'vitest';
import { findLanguage } from './choose-language.ts';

test.each([
  [null, [], 'en'],
  [null, ['de'], 'de'],
  [null, ['de-AT', 'en'], 'de'],
  [null, ['DE-ch'], 'de'],
  [null, ['en-GB', 'de'], 'en'],
  [null, ['fr-FR', 'de', 'en'], 'de'],
  [null, ['fr', 'es'], 'en'],
  [null, ['den', 'constructor'], 'en'],
  ['de', ['en'], 'de'],
  ['en', ['de'], 'en'],
  ['xx', ['de'], 'de'],
  ['', ['de'], 'de'],
] as const)('who chose %s and whose browser wants %s reads %s', (kept, wanted, language) => {
  expect(findLanguage(kept, wanted)).toBe(language);
});
