/** Pages by their paths: plain links that work without this, made quicker by it. */

import { enterEntry, keepScroll, newEntry, recallScroll } from './data/entries.ts';
import { endHeldScroll, findHeldTop, holdScroll } from './data/hold-scroll.ts';
import { createStore } from './data/store.ts';

/** Where the visitor is; `isReturn` where the browser's own buttons led. */
export type Place = { path: string; query: URLSearchParams; hash: string; isReturn: boolean };

/** The present place. */
export const place = createStore<Place>(readPlace(false));

function readPlace(isReturn: boolean): Place {
  const { pathname, search, hash } = location;
  return { path: pathname, query: new URLSearchParams(search), hash: hash.slice(1), isReturn };
}

/** Paths that are not pages of this script, though of this origin. */
const outside = /^\/(api|esplora|assets|pay)(\/|$)/;

/** Goes to a path of this origin. */
export function goTo(pathAndQuery: string): void {
  if (outside.test(pathAndQuery)) {
    location.assign(pathAndQuery);
    return;
  }
  const before = place.get();
  keepPlace();
  endHeldScroll();
  const entry = newEntry();
  // As browsers do: a link to where one is makes no entry.
  const isHere = pathAndQuery === location.pathname + location.search + location.hash;
  history[isHere ? 'replaceState' : 'pushState']({ entry }, '', pathAndQuery);
  enterEntry(entry, before.path === location.pathname);
  place.set(readPlace(false));
  if (before.path !== place.get().path) scrollTo(0, 0);
}

/** Begins to follow links and the browser's own buttons. */
export function startRouter(): void {
  history.scrollRestoration = 'manual';
  enterPresent();
  addEventListener('popstate', () => {
    keepPlace();
    const isKnown = enterPresent();
    place.set(readPlace(isKnown));
    // The browser itself goes to a part of the present page.
    if (isKnown) holdScroll(recallScroll());
  });
  addEventListener('pagehide', keepPlace);
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) keepPlace();
  });
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (link === null || link.target !== '' || link.hasAttribute('download')) return;
    const url = new URL(link.href, location.href);
    if (url.origin !== location.origin || outside.test(url.pathname)) return;
    if (url.hash !== '' && url.pathname === location.pathname && url.search === location.search) return;
    event.preventDefault();
    goTo(url.pathname + url.search + url.hash);
  });
}

let isShown = false;

/** Keeps where the visitor is, or is being taken. Nothing is known of it before the page is shown. */
function keepPlace(): void {
  if (isShown) keepScroll(findHeldTop() ?? scrollY);
}

/** Goes to where the page was scrolled before it was loaded again. */
export function resumeScroll(): void {
  isShown = true;
  const top = recallScroll();
  if (top > 0) holdScroll(top);
}

/** Enters the entry that the browser has gone to; false for one that it has just made. */
function enterPresent(): boolean {
  const { entry } = (history.state ?? {}) as { entry?: string };
  const id = entry ?? newEntry();
  if (entry === undefined) history.replaceState({ entry: id }, '');
  enterEntry(id, entry === undefined);
  return entry !== undefined;
}

/** A path with a parameter that may hold anything. */
export function pathOf(page: string, parameter: string | number): string {
  return `/${page}/${encodeURIComponent(String(parameter))}`;
}

/** The present path with values of its query changed; undefined takes one away. */
export function withQuery(
  { path, query }: Place,
  changed: Readonly<Record<string, string | undefined>>,
): string {
  const next = new URLSearchParams(query);
  for (const [name, value] of Object.entries(changed)) {
    if (value === undefined) next.delete(name);
    else next.set(name, value);
  }
  const text = next.toString();
  return text === '' ? path : `${path}?${text}`;
}

/** A part of a path as it was meant; undefined where it is not well encoded. */
export function decodePart(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}
