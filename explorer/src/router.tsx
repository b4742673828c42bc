/** Pages by their paths: plain links that work without this, made quicker by it. */

import { createStore } from './data/store.ts';

/** Where the visitor is. */
export type Place = { path: string; query: URLSearchParams };

/** The present place. */
export const place = createStore<Place>(readPlace());

function readPlace(): Place {
  return { path: location.pathname, query: new URLSearchParams(location.search) };
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
  history.replaceState({ scrollTop: scrollY }, '');
  history.pushState(null, '', pathAndQuery);
  place.set(readPlace());
  if (before.path !== place.get().path) scrollTo(0, 0);
}

/** Begins to follow links and the browser's own buttons. */
export function startRouter(): void {
  history.scrollRestoration = 'manual';
  addEventListener('popstate', ({ state }: PopStateEvent) => {
    place.set(readPlace());
    const { scrollTop = 0 } = (state ?? {}) as { scrollTop?: number };
    // After the page is drawn, if what it shows is here already.
    requestAnimationFrame(() => requestAnimationFrame(() => scrollTo(0, scrollTop)));
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

/** A path with a parameter that may hold anything. */
export function pathOf(page: string, parameter: string | number): string {
  return `/${page}/${encodeURIComponent(String(parameter))}`;
}

/** The present path with one value of its query changed; undefined takes it away. */
export function withQuery({ path, query }: Place, name: string, value: string | undefined): string {
  const next = new URLSearchParams(query);
  if (value === undefined) next.delete(name);
  else next.set(name, value);
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
