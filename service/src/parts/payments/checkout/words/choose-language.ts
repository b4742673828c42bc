/** Which language a page is written in: by `?lang=`, or by what the browser asks for. */

import type { CheckoutWords, Language } from './checkout-words.ts';
import { german } from './words-de.ts';
import { english } from './words-en.ts';

/** All languages; the first one is for those who ask for none of them. */
export const languages: readonly CheckoutWords[] = [english, german];

/** Ranges of an `Accept-Language` that are looked at. */
const MAX_RANGES = 20;

/** The words of the language that was chosen, or that the browser likes best of those that there are. */
export function chooseWords(chosen: unknown, acceptLanguage: string | undefined): CheckoutWords {
  return findWords(chosen) ?? preferWords(acceptLanguage ?? '') ?? languages[0]!;
}

function findWords(language: unknown): CheckoutWords | undefined {
  return languages.find((words) => words.language === (language as Language));
}

/** RFC 9110, 12.5.4: ranges with weights, the first one of equal weight counts. */
function preferWords(header: string): CheckoutWords | undefined {
  let best: { words: CheckoutWords; weight: number } | undefined;
  for (const range of header.split(',', MAX_RANGES)) {
    const [, primary = '', weight = '1'] =
      /^\s*([a-z]{2,3})(?:-[a-z0-9-]+)?\s*(?:;\s*q=([01](?:\.[0-9]{0,3})?))?\s*$/i.exec(range) ?? [];
    const words = findWords(primary.toLowerCase());
    if (words !== undefined && Number(weight) > (best?.weight ?? 0)) best = { words, weight: Number(weight) };
  }
  return best?.words;
}
