import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseNickname } from './nickname.ts';
import { looks } from './nickname-characters.ts';
import { skeletonsOf, unicodeSkeleton } from './nickname-skeletons.ts';

describe('nicknames', () => {
  test.each([
    'alice',
    'Alice B. Toklas',
    "O'Neil",
    'Zoë',
    'Ольга',
    'Ωμέγα',
    '山田太郎',
    'ひかり',
    '김철수',
    'r2-d2',
    '42',
    'Łukasz',
    'Nguyễn',
    'Straße',
    'Ədalət',
    'Անահիտ',
    'გიორგი',
    'שלום',
    'יוסי',
    'محمد',
    'राम',
    'সুমি',
    'தமிழ்',
    'สมชาย',
    'ノノ',
    'VC Anna',
    'Vcela',
  ])('"%s" is one', (text) =>
    expect(parseNickname(text)).toMatchObject({ ok: true, value: { nickname: text } }),
  );

  test.each([
    ['too short', 'a'],
    ['too long', 'a'.repeat(25)],
    ['empty', '   '],
    ['two spaces', 'a  b'],
    ['a control character', 'ali\u0007ce'],
    ['a line', 'ali\nce'],
    ['a direction override', 'ali\u202ece'],
    ['a zero-width space', 'ali\u200bce'],
    ['a soft hyphen', 'ali\u00adce'],
    ['half of a surrogate pair', 'ali\ud800ce'],
    ['two scripts', 'аlice'],
    ['a mark of another script', 'ali\u093ece'],
    ['a small capital', 'ᴀda'],
    ['a phonetic letter', 'ɑdmin'],
    ['one in the middle', 'Treɑsury'],
    ['a letter of no everyday use', 'ĸat'],
    ['a click', 'ǃKung'],
    ['a script that is not taken', 'ᏌᏂ'],
    ['Greek that is all Latin', 'ΤΟΜ'],
    ['Cyrillic that is all Latin', 'роӏо'],
    ['Armenian that is all Latin', 'օոս'],
    ['the id of a contributor', 'VC-4J8ZQ0T6M1RW'],
    ['one in small letters', 'vc-4j8zq0t6m1rw'],
    ['one with other separators', 'V.C 4J8Z Q0T6 M1RW'],
    ['one with look-alikes', 'VC-4j8zqot6mlrw'],
    ['the beginning of one', 'VC-4J8Z'],
    ['foreign digits', 'alice٣'],
    ['an emoji', 'alice 💥'],
    ['a formula', '=1+1'],
    ['a handle', '@alice'],
    ['a path', 'a/b'],
    ['HTML', '<b>alice</b>'],
    ['a pile of accents', `a${'\u0323\u0324\u0325\u0326'}b`],
    ['a reserved word', 'Anonymous'],
    ['one in other letters', 'аnonymous'.replace('а', 'a').toUpperCase()],
    ['one in digits', '4n0nymous'],
    ['a part of one', 'the-treasury'],
    ['one in look-alikes', '0fficia1 news'],
    ['a name of the coin', 'Regtest C0in'],
  ])('%s is refused', (_what, text) => expect(parseNickname(text, ['Regtest Coin']).ok).toBe(false));

  test.each([
    ['alice', 'A1ice'],
    ['alice', 'al-i.ce'],
    ['alice', 'älíce'],
    ['alice', 'ＡＬＩＣＥ'],
    ['modern', 'modem'],
    ['сосо', 'coco'],
    ['Αννα', 'Avva'],
    ['ΤΟΜ', 'Tom'],
    ['τομ', 'ΤΟΜ'],
    ['роӏо', 'POLO'],
    ['Ida', 'LDA'],
  ])('"%s" and "%s" look alike', (a, b) =>
    expect(skeletonsOf(a)).toSatisfy((found: string[]) =>
      found.some((each) => skeletonsOf(b).includes(each)),
    ),
  );

  test('a skeleton is stable, and what is accepted is accepted again in the same form', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 30 }), (text) => {
        const parsed = parseNickname(text);
        if (!parsed.ok) return;
        expect(parseNickname(parsed.value.nickname)).toEqual(parsed);
        expect(skeletonsOf(parsed.value.nickname)).toEqual(parsed.value.skeletons);
      }),
    );
  });

  test('a skeleton of Unicode has itself, and a text has those of its other case and of its compatibility forms', () => {
    const letter = fc.constantFrom(
      ...looks
        .trim()
        .split(' ')
        .map((row) => String.fromCodePoint(Number.parseInt(row, 16))),
    );
    fc.assert(
      fc.property(
        fc.array(fc.oneof(letter, fc.string({ unit: 'grapheme', maxLength: 1 })), { maxLength: 24 }),
        (letters) => {
          const text = letters.join('');
          const skeleton = unicodeSkeleton(text);
          expect(unicodeSkeleton(skeleton)).toBe(skeleton);
          expect(skeletonsOf(text.normalize('NFD'))).toEqual(skeletonsOf(text.normalize('NFC')));
          expect(skeletonsOf(text.normalize('NFKC'))).toEqual(skeletonsOf(text));
        },
      ),
    );
    fc.assert(
      fc.property(fc.stringMatching(/^[a-zA-Z0-9]{2,24}$/), (text) => {
        const [first] = skeletonsOf(text);
        // What stood in the database before is what stands there now.
        expect(skeletonsOf(text)).toEqual([first]);
        expect(skeletonsOf(first!)).toEqual([first]);
        expect(skeletonsOf(text.toUpperCase())).toContain(skeletonsOf(text.toLowerCase())[0]);
      }),
    );
  });

  test('what looks like another letter is refused, or makes the nickname the other one, wherever it stands', () => {
    const words = ['alice', 'Polo', 'Harbour', 'Tom'];
    const rows = looks
      .trim()
      .split(' ')
      .map((row) => row.split('=').map((hex) => String.fromCodePoint(Number.parseInt(hex, 16))));
    fc.assert(
      fc.property(fc.constantFrom(...words), fc.nat(), fc.constantFrom(...rows), (word, place, row) => {
        const [from, to] = [row[0]!, row.slice(1).join('')];
        if (!/^[A-Za-z]$/.test(to)) return;
        const at = place % word.length;
        const genuine = word.slice(0, at) + to + word.slice(at + 1);
        const parsed = parseNickname(word.slice(0, at) + from + word.slice(at + 1));
        if (!parsed.ok) return;
        const { skeletons } = parsed.value;
        expect(skeletons.some((each) => skeletonsOf(genuine).includes(each))).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  test('a reason says which character, and what to do', () => {
    const reason = (text: string) => {
      const parsed = parseNickname(text);
      return parsed.ok ? undefined : parsed.reason;
    };
    expect(reason('ᴀda')).toMatch(/"ᴀ" \(U\+1D00\)/);
    expect(reason('ada\u0951')).toMatch(/mark U\+0951/);
    expect(reason('ada٣')).toMatch(/"٣" \(U\+0663\); digits are 0 to 9/);
    expect(reason('роӏо')).toMatch(/"polo"; write it with those/);
    expect(reason('VC-4J8ZQ0T6M1RW')).toMatch(/id of a contributor; choose one/);
    expect(reason('Treasury')).toMatch(/reserved.*choose another/);
  });
});
