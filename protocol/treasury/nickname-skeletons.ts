import { looks } from './nickname-characters.ts';

/** What stands for a character that is confusable by UTS 39. */
const PROTOTYPES: ReadonlyMap<string, string> = new Map(
  looks
    .trim()
    .split(' ')
    .map((row) => {
      const [from, ...to] = row.split('=').map((hex) => String.fromCodePoint(Number.parseInt(hex, 16)));
      return [from!, to.join('')];
    }),
);
/** A prototype has no prototype but through decomposition; this many rounds are more than any text takes. */
const MAX_ROUNDS = 8;

/**
 * Beyond what Unicode calls confusable: digits that are written for letters, small letters that are taken for others, and
 * letters of other scripts that are read as Latin ones. Applied to text without accents, in lower case.
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

/**
 * The skeleton of UTS 39: decomposed, each character replaced by the one that stands for it, until nothing changes. Two
 * texts that look alike as they are written, in their own case, have one.
 */
export function unicodeSkeleton(text: string): string {
  return settle(text, (before) => {
    let mapped = '';
    for (const character of before.normalize('NFD')) mapped += PROTOTYPES.get(character) ?? character;
    return mapped.normalize('NFD');
  });
}

/**
 * What people cannot tell apart has a skeleton in common. There are one or two: of the text as it is written (`ΤΟΜ` looks
 * like `TOM`, `τομ` does not), and of the text in lower case (`Ada` is `ADA`). Never shown, and no text for people.
 */
export function skeletonsOf(text: string): string[] {
  const bare = keepLetters(text);
  return [...new Set([bare, foldLetters(keepLetters(bare.toLowerCase()))].map(collapse))];
}

/** The text as it is read letter by letter, in lower case: like a skeleton, but its letters can be counted. */
export function readLetters(text: string): string {
  return foldLetters(unicodeSkeleton(keepLetters(text)).toLowerCase()).replaceAll('rn', 'm');
}

/** Letters and digits alone: no separators, no accents, no compatibility forms. */
function keepLetters(text: string): string {
  return text
    .normalize('NFKC')
    .normalize('NFD')
    .replace(/[^\p{L}\p{N}]/gu, '');
}

function collapse(text: string): string {
  return settle(text, (before) => {
    let collapsed = foldLetters(unicodeSkeleton(before).toLowerCase());
    for (const [pair, one] of PAIRS) collapsed = collapsed.replaceAll(pair, one);
    return collapsed;
  });
}

/** Each letter by {@link LOOK_ALIKES}. Accents go; what stands for points of other scripts stays, or their letters were one. */
function foldLetters(text: string): string {
  let folded = '';
  for (const character of text.normalize('NFD').replace(/[\u0300-\u036f]/g, ''))
    folded += LOOK_ALIKES[character] ?? character;
  return folded;
}

function settle(text: string, step: (text: string) => string): string {
  let settled = text;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const next = step(settled);
    if (next === settled) break;
    settled = next;
  }
  return settled;
}
