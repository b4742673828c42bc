import { scriptRanges } from './nickname-characters.ts';
import { unicodeSkeleton } from './nickname-skeletons.ts';

type Range = readonly [from: number, to: number];

const SCRIPTS: ReadonlyMap<string, readonly Range[]> = new Map(
  Object.entries(scriptRanges).map(([name, text]) => [
    name,
    text
      .trim()
      .split(' ')
      .map((range): Range => {
        const [from, to = from] = range.split('-').map((hex) => Number.parseInt(hex, 16)) as [
          number,
          number?,
        ];
        return [from, to];
      }),
  ]),
);

/** The first letter or mark that no nickname may have: of no script that is taken, or not in everyday use (UTS 39). */
export function findForeignLetter(characters: readonly string[]): string | undefined {
  return characters.find((character) => isLetter(character) && ![...SCRIPTS.keys()].some(has(character)));
}

/** The one script that has all letters and marks of these; undefined when there is none. Text without letters is Latin. */
export function findScript(characters: readonly string[]): string | undefined {
  const letters = characters.filter(isLetter);
  return [...SCRIPTS.keys()].find((script) => letters.every((letter) => has(letter)(script)));
}

/**
 * The Latin letters that a text of another script is read as, where each of its letters looks like one or some of them:
 * a whole-script confusable of UTS 39. Undefined where a letter does not.
 */
export function readAsLatin(text: string): string | undefined {
  const letters = [...text.normalize('NFD')].filter(isLetter);
  const isLatin = letters.every((letter) =>
    [...unicodeSkeleton(letter)].every((look) => latinLooks().has(look)),
  );
  return isLatin ? unicodeSkeleton(text).normalize('NFC') : undefined;
}

/** What the letters and marks of Latin nicknames look like. */
function latinLooks(): ReadonlySet<string> {
  if (looksOfLatin === undefined) {
    looksOfLatin = new Set();
    for (const [from, to] of SCRIPTS.get('Latin')!)
      for (let point = from; point <= to; point++)
        for (const look of unicodeSkeleton(String.fromCodePoint(point)))
          if (isLetter(look) || /\p{N}/u.test(look)) looksOfLatin.add(look);
  }
  return looksOfLatin;
}
let looksOfLatin: Set<string> | undefined;

function isLetter(character: string): boolean {
  return /[\p{L}\p{M}]/u.test(character);
}

function has(character: string): (script: string) => boolean {
  const point = character.codePointAt(0)!;
  return (script) => {
    const ranges = SCRIPTS.get(script)!;
    let low = 0;
    let high = ranges.length - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const [from, to] = ranges[middle]!;
      if (point < from) high = middle - 1;
      else if (point > to) low = middle + 1;
      else return true;
    }
    return false;
  };
}
