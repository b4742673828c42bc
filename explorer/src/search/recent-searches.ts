/** What was found in this browser lately. Pages are kept, never what was typed. */

import { describePage, type Suggested } from './read-typed.ts';

/** Where the browser keeps it. */
const KEY = 'recent-searches';
const MOST = 8;
/** Characters of a label; tickers and names have fewer. */
const LONGEST_LABEL = 49;

type Kept = { path: string; label?: string };

/** Pages that were found, the latest first. */
export function listRecentSearches(): Suggested[] {
  return read().flatMap(({ path, label }) => {
    const page = describePage(path);
    return page === undefined ? [] : [{ ...page, label: label ?? page.label }];
  });
}

/** Who is paid what is nobody's business who uses this browser next. */
const isPrivate = (path: string): boolean => path.startsWith('/pay/');

/**
 * Keeps a page that was found; not that of a payment.
 *
 * @param label what it is called, where its path does not tell
 */
export function rememberSearch(path: string, label?: string): void {
  if (describePage(path) === undefined || isPrivate(path)) return;
  const kept = { path, ...(label === undefined ? {} : { label: label.slice(0, LONGEST_LABEL) }) };
  write([kept, ...read().filter((each) => each.path !== path)].slice(0, MOST));
}

/** Forgets all. */
export function forgetSearches(): void {
  write([]);
}

function read(): Kept[] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(found) ? found.filter(isKept).slice(0, MOST) : [];
  } catch {
    // The browser keeps nothing, or something else wrote there.
    return [];
  }
}

function write(kept: readonly Kept[]): void {
  try {
    if (kept.length === 0) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // Forbidden or full: there are no recent searches then.
  }
}

function isKept(value: unknown): value is Kept {
  const { path, label } = (value ?? {}) as Record<string, unknown>;
  const isLabel = label === undefined || (typeof label === 'string' && label.length <= LONGEST_LABEL);
  return typeof path === 'string' && isLabel;
}
