/** Which language the explorer speaks: the one that was chosen, or the first of the browser's that there is. The browser keeps the choice. */

import { type Language, speak } from './messages.ts';

/** Languages by what they call themselves. */
export const languageNames = { en: 'English', de: 'Deutsch' } as const;

type Id = Language['id'];

/** Where the browser keeps it. */
const KEY = 'language';

/** The language for a choice that was kept, if any, and for languages as browsers name them, the best first. */
export function findLanguage(kept: string | null, wanted: readonly string[]): Id {
  for (const each of [kept ?? '', ...wanted]) {
    const [primary = ''] = each.toLowerCase().split('-');
    if (Object.hasOwn(languageNames, primary)) return primary as Id;
  }
  return 'en';
}

/** Speaks the reader's language; English where its texts cannot be fetched. */
export async function startLanguage(): Promise<void> {
  if (findLanguage(read(), navigator.languages) !== 'de') return;
  try {
    speak((await import('./german/german.ts')).german);
  } catch {
    // The next page may have it.
  }
}

/** Keeps a choice, and shows the page again in that language. */
export function chooseLanguage(id: Id): void {
  try {
    localStorage.setItem(KEY, id);
  } catch {
    // Forbidden or full: it is the browser's language again.
  }
  location.reload();
}

function read(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}
