import { fail, ok, type Result } from '../result.ts';
import { findForeignLetter, findScript, readAsLatin } from './nickname-scripts.ts';
import { readLetters, skeletonsOf } from './nickname-skeletons.ts';

/** Characters (code points) of a nickname. */
export const nicknameLength = { min: 2, max: 24 } as const;
/** No nickname has as many UTF-16 code units before it is normalised. */
const MAX_GIVEN_LENGTH = 200;

/** A nickname in its one form, and what no other nickname may look like: no two have a skeleton in common. */
export type Nickname = { nickname: string; skeletons: readonly string[] };

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
 * Reads an untrusted nickname (docs/protocols/treasury.md): NFKC, 2 to 24 letters and digits of one script with single spaces,
 * `.`, `_`, `-` or `'` between them, that looks like no reserved word, no id, and no text of Latin letters that it is not.
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
  const fault = findFaultOfLetters(nickname, characters);
  if (fault !== undefined) return fail(fault);
  const skeletons = skeletonsOf(nickname);
  if (skeletons.some((skeleton) => [...skeleton].length < nicknameLength.min))
    return fail('a nickname needs two letters or digits');
  if (looksLikeId(nickname))
    return fail('it looks like the id of a contributor; choose one that does not begin like "VC-"');
  if (isReserved(skeletons, reserved)) return fail('it is reserved, or looks like what is; choose another');
  return ok({ nickname, skeletons });
}

function findFaultOfLetters(nickname: string, characters: readonly string[]): string | undefined {
  // Digits of other scripts look like letters of this one.
  const digit = characters.find((character) => /\p{N}/u.test(character) && !/[0-9]/.test(character));
  if (digit !== undefined) return `it has ${describe(digit)}; digits are 0 to 9`;
  const foreign = findForeignLetter(characters);
  if (foreign !== undefined)
    return `it has ${describe(foreign)}, which is not among the letters of everyday use that a nickname may have`;
  const script = findScript(characters);
  if (script === undefined) return 'a nickname must have letters of one script only';
  const latin = script === 'Latin' ? undefined : readAsLatin(nickname);
  if (latin !== undefined)
    return `all of its letters look like Latin ones, ${JSON.stringify(latin)}; write it with those, or add a letter that Latin does not have`;
  return undefined;
}

function describe(character: string): string {
  const point = character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
  return /\p{M}/u.test(character) ? `the mark U+${point}` : `"${character}" (U+${point})`;
}

/** Whether it is read as the id of a contributor, `VC-` and 12 letters and digits, or as the beginning of one. */
function looksLikeId(nickname: string): boolean {
  const letters = readLetters(nickname);
  return /^vc.{12}/u.test(letters) || (letters.startsWith('vc') && /^..[._-]/u.test(nickname));
}

function isReserved(skeletons: readonly string[], further: readonly string[]): boolean {
  const words = new Set([...RESERVED, ...further].flatMap(skeletonsOf));
  const parts = RESERVED_PARTS.flatMap(skeletonsOf);
  return skeletons.some((skeleton) => words.has(skeleton) || parts.some((part) => skeleton.includes(part)));
}
