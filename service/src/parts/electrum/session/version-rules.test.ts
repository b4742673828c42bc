import { expect, test } from 'vitest';
import { chooseVersion } from './version-rules.ts';

test.each([
  [undefined, '1.4'],
  ['1.4', '1.4'],
  ['1.4.2', '1.4.2'],
  [['1.4', '1.6'], '1.6'],
  [['1.2', '1.4.5'], '1.4.5'],
  [['1.4', '2.0'], '1.6'],
  [['1.6', '1.7'], '1.6'],
])('a client that asks for %j gets %s', (asked, text) => {
  expect(chooseVersion(asked, false)).toMatchObject({ text });
});

test.each([['1.3'], [['1.0', '1.2']], [['1.7', '2.0']], ['2.0']])('with %j nothing is in common', (asked) => {
  expect(chooseVersion(asked, false)).toBeUndefined();
});

test.each([[1.4], [['1.4', '1.5', '1.6']], ['1.4 '], [''], ['1.4.2.1'], [{}], [['1.4', 6]]])(
  '%j is no version',
  (asked) => {
    expect(chooseVersion(asked, false)).toBe('invalid');
  },
);

test('who has made other calls before does not get 1.6, which forbids it', () => {
  expect(chooseVersion(['1.4', '1.6'], true)).toMatchObject({ text: '1.4.2' });
  expect(chooseVersion('1.6', true)).toBeUndefined();
});
