import { fail, ok, type Result } from '../result.ts';

/** Characters (code points) of a nickname. */
export const nicknameLength = { min: 2, max: 24 } as const;
/** No nickname has as many UTF-16 code units before it is normalised. */
const MAX_GIVEN_LENGTH = 200;

/** A nickname in its one form, and what no other nickname may look like. */
export type Nickname = { nickname: string; skeleton: string };

/** Scripts of which a nickname uses one; those that are written together count as one. */
const SCRIPTS: readonly RegExp[] = [
  /^\p{Script=Latin}$/u,
  /^\p{Script=Greek}$/u,
  /^\p{Script=Cyrillic}$/u,
  /^\p{Script=Armenian}$/u,
  /^\p{Script=Georgian}$/u,
  /^\p{Script=Hebrew}$/u,
  /^\p{Script=Arabic}$/u,
  /^\p{Script=Devanagari}$/u,
  /^\p{Script=Bengali}$/u,
  /^\p{Script=Tamil}$/u,
  /^\p{Script=Thai}$/u,
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u30fc]$/u,
  /^\p{Script=Hangul}$/u,
];

/**
 * Characters that look like others, as the character that stands for them in a skeleton: letters of Greek and Cyrillic,
 * digits, and what small letters are confused with. Applied to text without accents, in lower case.
 */
const LOOK_ALIKES: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'l',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '6': 'b',
  '7': 't',
  '8': 'b',
  '9': 'g',
  i: 'l',
  j: 'l',
  q: 'g',
  ı: 'l',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ħ: 'h',
  ŧ: 't',
  ß: 'b',
  æ: 'ae',
  œ: 'oe',
  þ: 'p',
  α: 'a',
  β: 'b',
  γ: 'y',
  ε: 'e',
  η: 'n',
  ι: 'l',
  κ: 'k',
  μ: 'u',
  ν: 'v',
  ο: 'o',
  ρ: 'p',
  σ: 'o',
  ς: 'c',
  τ: 't',
  υ: 'u',
  χ: 'x',
  ω: 'w',
  а: 'a',
  в: 'b',
  г: 'r',
  е: 'e',
  з: 'e',
  и: 'n',
  к: 'k',
  м: 'm',
  н: 'h',
  о: 'o',
  п: 'n',
  р: 'p',
  с: 'c',
  т: 't',
  у: 'y',
  х: 'x',
  ь: 'b',
  ѕ: 's',
  і: 'l',
  ј: 'l',
  ԁ: 'd',
  ԛ: 'g',
  ԝ: 'w',
  օ: 'o',
  ս: 'u',
  ո: 'n',
};

/** Pairs that look like one letter, after {@link LOOK_ALIKES}. */
const PAIRS: readonly (readonly [pair: string, one: string])[] = [
  ['rn', 'm'],
  ['nn', 'm'],
  ['vv', 'w'],
  ['cl', 'd'],
];

/** Reserved as a whole. */
const RESERVED = [
  'anonymous',
  'nobody',
  'unknown',
  'null',
  'undefined',
  'system',
  'support',
  'staff',
  'root',
  'coin',
];
/** Reserved also inside of a longer nickname. */
const RESERVED_PARTS = ['admin', 'moderator', 'operator', 'official', 'treasury'];

/**
 * What people cannot tell apart has one skeleton: compatibility forms, case, accents, separators and look-alikes are
 * taken away. Never shown, and no text for people.
 */
export function skeletonOf(text: string): string {
  const plain = text.normalize('NFKC').toLowerCase().normalize('NFD').replace(/\p{M}/gu, '');
  let skeleton = '';
  for (const character of plain) {
    if (!/[\p{L}\p{N}]/u.test(character)) continue;
    skeleton += LOOK_ALIKES[character] ?? character;
  }
  for (const [pair, one] of PAIRS) skeleton = skeleton.replaceAll(pair, one);
  return skeleton;
}

/**
 * Reads an untrusted nickname (docs/treasury.md): NFKC, 2 to 24 letters and digits of one script with single spaces,
 * `.`, `_`, `-` or `'` between them.
 *
 * @param reserved further names that nobody may have, such as those of the coin
 */
export function parseNickname(text: string, reserved: readonly string[] = []): Result<Nickname> {
  if (!text.isWellFormed()) return fail('a nickname must be valid Unicode text');
  // Normalising takes time by the square of the marks in a text.
  if (text.length > MAX_GIVEN_LENGTH)
    return fail(`a nickname has at most ${MAX_GIVEN_LENGTH} characters before it is normalised`);
  // Before NFKC too, which would turn some of them into spaces.
  if (/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/u.test(text))
    return fail('a nickname must not have control, invisible or direction characters');
  const nickname = text.normalize('NFKC').trim();
  const characters = [...nickname];
  if (characters.length < nicknameLength.min || characters.length > nicknameLength.max)
    return fail(
      `a nickname has ${nicknameLength.min} to ${nicknameLength.max} characters, received ${characters.length}`,
    );
  if (
    !/^[\p{L}\p{N}][\p{L}\p{N}\p{M} ._'-]*$/u.test(nickname) ||
    / [ ._'-]|[._'-]{2}|[ _'-]$|\p{M}{3}/u.test(nickname)
  )
    return fail(
      "a nickname is letters and digits, with single spaces, '.', '_', '-' or apostrophes between them",
    );
  if (!hasOneScript(characters)) return fail('a nickname must have letters of one script only');
  const skeleton = skeletonOf(nickname);
  if ([...skeleton].length < nicknameLength.min) return fail('a nickname needs two letters or digits');
  if (isReserved(skeleton, reserved)) return fail('this nickname is reserved');
  return ok({ nickname, skeleton });
}

function hasOneScript(characters: readonly string[]): boolean {
  const letters = characters.filter((character) => /\p{L}/u.test(character));
  if (letters.length === 0) return characters.every((character) => /[0-9 ._'-]/.test(character));
  return (
    SCRIPTS.some((script) => letters.every((letter) => script.test(letter))) &&
    // Digits of other scripts look like letters of this one.
    characters.every((character) => !/\p{N}/u.test(character) || /[0-9]/.test(character))
  );
}

function isReserved(skeleton: string, further: readonly string[]): boolean {
  const words = [...RESERVED, ...further].map(skeletonOf);
  return words.includes(skeleton) || RESERVED_PARTS.map(skeletonOf).some((part) => skeleton.includes(part));
}
