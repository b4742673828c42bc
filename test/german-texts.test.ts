import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { entryKinds, unattributedReasons } from '../api/treasury.ts';
import { chain } from '../explorer/src/language/german/chain.ts';
import { documents } from '../explorer/src/language/german/documents.ts';
import { frame } from '../explorer/src/language/german/frame.ts';
import { german } from '../explorer/src/language/german/german.ts';
import { mining } from '../explorer/src/language/german/mining.ts';
import { names } from '../explorer/src/language/german/names.ts';
import { proofs } from '../explorer/src/language/german/proofs.ts';
import { registry } from '../explorer/src/language/german/registry.ts';
import { transactions } from '../explorer/src/language/german/transactions.ts';
import { wallets } from '../explorer/src/language/german/wallets.ts';
import { NAME_REASONS } from '../protocol/names/name-reasons.ts';
import { TOKEN_REASONS } from '../protocol/tokens/token-reasons.ts';
import { errorCodes } from '../service/src/errors.ts';

/** The German texts of the explorer beside the sources that say the English ones. What is said but not there does not compile. */
const parts = { chain, documents, frame, mining, names, proofs, registry, transactions, wallets };
const messages = Object.entries<string>(german.messages);
const sourceDir = new URL('../explorer/src/', import.meta.url).pathname;

const sources = readdirSync(sourceDir, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name) && !/\.test\.ts$|\.d\.ts$|^language\/german\//.test(name))
  .map((name) => readFileSync(sourceDir + name, 'utf8'));

const STRING = /'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"/;
/** First arguments of `t` and `rich`. */
const KEY = new RegExp(`\\b(?:t|rich)\\(\\s*(?:${STRING.source})`);

/** What the strings say that a pattern finds in the sources. */
function findStrings({ source }: RegExp): string[] {
  return sources
    .flatMap((text) => [...text.matchAll(new RegExp(source, 'g'))])
    .map(([, single, double]) => (single ?? double ?? '').replace(/\\(.)/g, '$1'));
}

const placeholdersOf = (text: string): string[] =>
  [...text.matchAll(/\{\w+\}/g)].map(([name]) => name).sort();

test('German texts are there for every text of the sources', () => {
  const keys = findStrings(KEY);
  expect(keys.length).toBeGreaterThan(500);
  expect(keys.filter((key) => !(key in german.messages))).toEqual([]);
});

test('German texts are all used', () => {
  const written = new Set(findStrings(STRING));
  expect(messages.map(([key]) => key).filter((key) => !written.has(key))).toEqual([]);
  expect(Object.keys(german.nouns).filter((noun) => !written.has(noun))).toEqual([]);
});

test('German texts stand in one part each', () => {
  const all = Object.values(parts).flatMap((part) => Object.keys(part));
  expect(all.filter((key, at) => all.indexOf(key) !== at)).toEqual([]);
  expect(all).toHaveLength(messages.length);
});

test('German texts have the placeholders of the English ones, and none is empty or has two spaces', () => {
  expect(
    messages.filter(([key, text]) => placeholdersOf(key).join() !== placeholdersOf(text).join()),
  ).toEqual([]);
  expect(messages.filter(([, text]) => text.trim() === '' || / {2}|undefined/.test(text))).toEqual([]);
});

test('German texts end as the English ones end', () => {
  const ending = (text: string): string => /[.:?…]?["“]?$/.exec(text)?.[0].replace(/["“]/, '') ?? '';
  expect(messages.filter(([key, text]) => ending(key) !== ending(text))).toEqual([
    ['See whether {name} is free', 'Ist {name} frei?'],
    ['No', 'Nr.'],
  ]);
});

test('German texts address nobody as Sie, du or ihr', () => {
  const addressed =
    /(?<![.:;?!–] |^)\b(Sie|Ihr|Ihre[mnrs]?|Ihnen)\b|\b(du|dein|deine[mnrs]?|dich|dir|euch|euer)\b/;
  expect(messages.filter(([, text]) => addressed.test(text))).toEqual([]);
});

test('every code of the API that pages show has German words, in lower case', () => {
  const shown = [
    ...Object.keys(NAME_REASONS),
    ...Object.keys(TOKEN_REASONS),
    ...entryKinds,
    ...unattributedReasons,
  ];
  expect(shown.filter((code) => !(code in german.codes))).toEqual([]);
  expect(Object.keys(german.codes).filter((code) => code !== code.toLowerCase())).toEqual([]);
});

test('every error that has German words is one of the service or of the client', () => {
  const ofClient = ['invalid_argument', 'timeout', 'invalid_answer', 'answer_too_large', 'http_error'];
  const known = new Set<string>([...errorCodes, ...ofClient]);
  expect(Object.keys(german.errors).filter((code) => !known.has(code))).toEqual([]);
});
