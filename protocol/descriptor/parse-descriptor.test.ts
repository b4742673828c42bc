import { describe, expect, test } from 'vitest';
import { checksumOfDescriptor } from './descriptor-checksum.ts';
import { parseDescriptor } from './parse-descriptor.ts';

const A =
  'xpub6ERApfZwUNrhLCkDtcHTcxd75RbzS1ed54G1LkBUHQVHQKqhMkhgbmJbZRkrgZw4koxb5JaHWkY4ALHY2grBGRjaDMzQLcgJvLJuZZvRcEL';
const B =
  'xpub68NZiKmJWnxxS6aaHmn81bvJeTESw724CRDs6HbuccFQN9Ku14VQrADWgqbhhTHBaohPX4CjNLf9fq9MYo6oDaPPLPxSb7gwQN3ih19Zm4Y';

describe('the checksum of BIP-380', () => {
  test('of its example is the published one', () => {
    expect(checksumOfDescriptor('raw(deadbeef)')).toBe('89f8spxm');
    expect(checksumOfDescriptor('raw(Ü)')).toBeUndefined();
  });

  test('is needed whole and right where there is one, and not where there is none', () => {
    const body = `wpkh(${A}/0/*)`;
    const checksum = checksumOfDescriptor(body)!;
    for (const text of [body, `${body}#${checksum}`]) expect(parseDescriptor(text).ok).toBe(true);
    const wrong = ['', checksum.slice(1), `${checksum}q`, checksum.split('').reverse().join('')];
    for (const each of wrong)
      expect(parseDescriptor(`${body}#${each}`)).toMatchObject({ ok: false, reason: /checksum/ });
  });
});

describe('a descriptor', () => {
  test.each([
    [`pkh([deadbeef/44'/0h/0']${A}/0/*)`, 'pkh', [[[0]]]],
    [`wpkh(${A}/*)`, 'wpkh', [[[]]]],
    [`sh(wpkh(${A}/10/20/*))`, 'sh(wpkh)', [[[10, 20]]]],
    [`tr(${A}/<0;1>/*)`, 'tr', [[[0], [1]]]],
    [
      `wpkh([ffffffff/13h]${A}/<1;3>/2/*)`,
      'wpkh',
      [
        [
          [1, 2],
          [3, 2],
        ],
      ],
    ],
    [
      `sh(multi(1,${A}/*,${B}/<3;4>/0/*))`,
      'sh(multi)',
      [
        [[]],
        [
          [3, 0],
          [4, 0],
        ],
      ],
    ],
    [
      `wsh(sortedmulti(2,${A}/<1;2>/*,${B}/<3;4>/0/*))`,
      'wsh(multi)',
      [
        [[1], [2]],
        [
          [3, 0],
          [4, 0],
        ],
      ],
    ],
    [`sh(wsh(sortedmulti(2,${A}/0/*,${B}/0/*)))`, 'sh(wsh(multi))', [[[0]], [[0]]]],
  ])('%s is read', (text, form, branches) => {
    const parsed = parseDescriptor(text);
    if (!parsed.ok) throw new Error(parsed.reason);
    const { keys, isSorted, branchCount } = parsed.value;
    expect(parsed.value.form).toBe(form);
    expect(keys.map((key) => key.branches)).toEqual(branches);
    expect(isSorted).toBe(text.includes('sorted'));
    expect(branchCount).toBe(text.includes(';') ? 2 : 1);
  });

  // Those of BIP-380, 383 and 389 first.
  test.each([
    ['children in the origin', `wpkh([deadbeef/0h/*]${A}/*)`],
    ['a slash behind the origin', `wpkh([deadbeef/0h/]${A}/*)`],
    ['a short fingerprint', `wpkh([deadbef/0h]${A}/*)`],
    ['a long fingerprint', `wpkh([deadbeeef/0h]${A}/*)`],
    ['an unknown mark of hardened steps', `wpkh([deadbeef/0H]${A}/*)`],
    ['two origins', `wpkh([aaaaaaaa][aaaaaaaa]${A}/*)`],
    ['half an origin', `wpkh(aaaaaaaa]${A}/*)`],
    ['no key', 'wpkh([deadbeef])'],
    ['a step out of range', `wpkh(${A}/2147483648/*)`],
    ['a step that is no number', `wpkh(${A}/1aa/*)`],
    ['a hardened step', `wpkh(${A}/3h/*)`],
    ['hardened children', `wpkh(${A}/3/*h)`],
    ['two tuples', `wpkh(${A}/<0;1>/<2;3>/*)`],
    ['a tuple in the origin', `wpkh([deadbeef/<0;1>]${A}/*)`],
    ['an empty tuple', `wpkh(${A}/<>/*)`],
    ['a tuple that does not begin', `wpkh(${A}/0>/*)`],
    ['a tuple that does not end', `wpkh(${A}/<0/*)`],
    ['a tuple that misses one', `wpkh(${A}/<0;>/*)`],
    ['a tuple of one', `wpkh(${A}/<0>/*)`],
    ['a tuple of the same', `wpkh(${A}/<1;1>/*)`],
    ['three branches', `wpkh(${A}/<0;1;2>/*)`],
    ['tuples of other lengths', `wsh(multi(1,${A}/<0;1>/*,${B}/<0;1;2>/*))`],
    ['one address', `wpkh(${A}/0/5)`],
    ['a threshold of 0', `wsh(multi(0,${A}/*,${B}/*))`],
    ['a threshold that is none', `wsh(multi(a,${A}/*,${B}/*))`],
    ['a threshold above the keys', `wsh(multi(3,${A}/*,${B}/*))`],
    ['more than 15 keys in P2SH', `sh(multi(1,${Array.from({ length: 16 }, () => `${A}/*`).join(',')}))`],
    ['a bare multisig', `multi(1,${A}/*)`],
    ['a script tree', `tr(${A}/*,{pk(${B}/*)})`],
    ['what is not closed', `sh(wpkh(${A}/*)`],
    ['what is closed twice', `wpkh(${A}/*))`],
    ['nothing', ''],
  ])('%s is refused, and not repeated', (_, text) => {
    const parsed = parseDescriptor(text);
    if (parsed.ok) throw new Error('it was read');
    expect(parsed.reason).not.toContain('xpub');
  });
});
