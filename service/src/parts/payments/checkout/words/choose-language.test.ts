import { describe, expect, test } from 'vitest';
import { makePayment, paymentsOfEachStatus } from '../../../../../../test/browser/fixture-payment.ts';
import { describePayment } from '../describe-payment.ts';
import { chooseWords, languages } from './choose-language.ts';

const languageFor = (header: string | undefined, chosen?: unknown) => chooseWords(chosen, header).language;

test.each([
  [undefined, 'en'],
  ['', 'en'],
  ['de', 'de'],
  ['de-AT,de;q=0.9,en;q=0.8', 'de'],
  ['DE-ch', 'de'],
  ['en-GB,en;q=0.9,de;q=0.8', 'en'],
  ['fr-FR,fr;q=0.9,de;q=0.2,en;q=0.1', 'de'],
  ['fr, es', 'en'],
  ['de;q=0, en;q=0.1', 'en'],
  ['de;q=0.5, en;q=0.5', 'de'],
  ['de;q=7', 'en'],
  ['*', 'en'],
  ['; ,,q=, de;;q=1', 'en'],
  [`${'x,'.repeat(5_000)}de`, 'en'],
])('a browser that asks for %s gets %s', (header, language) => {
  expect(languageFor(header)).toBe(language);
});

test('who chooses a language has it, whatever the browser asks for', () => {
  expect(languageFor('de', 'en')).toBe('en');
  expect(languageFor('en', 'de')).toBe('de');
  for (const none of ['fr', 'DE', '', '__proto__', ['de', 'en'], undefined])
    expect(languageFor('de', none)).toBe('de');
});

describe.each(languages.map((words) => [words.language, words] as const))('the words of %s', (_, words) => {
  test('tell each status, and none of them has a hole', () => {
    const coin = { ticker: 'RCOIN', decimals: 8 };
    const payments = paymentsOfEachStatus.map(([, fields]) => makePayment(fields));
    const reasons = (['unpaid', 'partial', 'unconfirmed', 'lost'] as const).map((reason) =>
      makePayment({ status: 'expired', reason }),
    );
    for (const payment of [...payments, ...reasons]) {
      const { headline, text } = describePayment(payment, coin, words, Date.now());
      expect(headline).toMatch(/\S{3}/);
      expect(`${headline} ${text}`).not.toMatch(/undefined|null|NaN|\[object| {2}/);
    }
  });

  test('are all there, and say something else than the other language does', () => {
    const texts = listTexts(words);
    const other = new Map(listTexts(languages.find(({ language }) => language !== words.language)!));
    expect(texts.map(([path]) => path)).toEqual([...other.keys()]);
    const shared = texts.filter(([path, text]) => text === other.get(path)).map(([, text]) => text);
    expect(shared.filter((text) => text !== 'Link' && text !== 'Shop')).toEqual([]);
    for (const [, text] of texts) expect(text).toMatch(/^(, )?\S(.*\S)?$/);
  });
});

function listTexts(value: unknown, path = ''): [string, string][] {
  if (typeof value === 'string') return [[path, value]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) => listTexts(each, `${path}/${name}`));
}
