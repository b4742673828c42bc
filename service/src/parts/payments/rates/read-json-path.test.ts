import { expect, test } from 'vitest';
import { isJsonPath, readJsonPath } from './read-json-path.ts';

const read = (text: string, path: string) => {
  const found = readJsonPath(text, path);
  return found.ok ? found.value : found.reason;
};

test.each([
  ['{"price":"1.5"}', 'price', '1.5'],
  ['{"data":[{"price":2.50}]}', 'data.0.price', '2.50'],
  ['[[1,2],[3,4]]', '1.0', '3'],
  // As a float this would be another number.
  ['{"p":0.12345678901234567890123}', 'p', '0.12345678901234567890123'],
  ['{"p":1e-7}', 'p', '1e-7'],
  ['{"p":100000000000000000000001}', 'p', '100000000000000000000001'],
  ['{"0":{"a":1}}', '0.a', '1'],
  // The last of two is what every parser takes.
  ['{"p":1,"p":2}', 'p', '2'],
])('%s has at %s: %s', (text, path, value) => {
  expect(read(text, path)).toBe(value);
});

test.each([
  ['{"p":1', 'p', /not JSON/],
  ['<html>', 'p', /not JSON/],
  ['', 'p', /not JSON/],
  ['['.repeat(100_000), '0', /not JSON/],
  [`${'['.repeat(100_000)}${']'.repeat(100_000)}`, '0', /not JSON|is not a number|nothing/],
  ['null', 'p', /nothing at "p"/],
  ['1', 'p', /nothing at "p"/],
  ['{"a":{}}', 'a.b', /nothing at "a.b"/],
  ['[1]', '1', /nothing/],
  ['[1]', '-1', /nothing/],
  ['[1]', '00', /nothing/],
  ['[1]', 'length', /nothing/],
  ['{"a":"xyz"}', 'a.length', /nothing/],
  ['{}', '__proto__', /nothing/],
  ['{}', 'constructor.name', /nothing/],
  ['{"p":true}', 'p', /is not a number/],
  ['{"p":null}', 'p', /is not a number/],
  ['{"p":{}}', 'p', /is not a number/],
  ['{"p":[1]}', 'p', /is not a number/],
])('%s has no number at %s', (text, path, reason) => {
  expect(read(text, path)).toMatch(reason);
});

test.each([
  ['price', true],
  ['data.0.price', true],
  ['', false],
  ['a..b', false],
  ['.a', false],
  ['a.', false],
  [new Array(16).fill('a').join('.'), true],
  [new Array(17).fill('a').join('.'), false],
])('%j is a path: %s', (path, is) => {
  expect(isJsonPath(path)).toBe(is);
});
