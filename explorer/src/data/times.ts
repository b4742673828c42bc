/** How moments are shown: by their age or their date, in the visitor's own zone or in UTC. The browser keeps the choice. */

import { createStore } from './store.ts';

/** A choice. */
export type Times = { shows: 'ages' | 'dates'; zone: 'local' | 'utc' };

/** Where the browser keeps it. */
const KEY = 'times';

/** The present choice. */
export const times = createStore<Times>(read());

/** Changes a part of it, and keeps it. */
export function chooseTimes(changed: Partial<Times>): void {
  const next = { ...times.get(), ...changed };
  times.set(next);
  try {
    localStorage.setItem(KEY, JSON.stringify(next));
  } catch {
    // Forbidden or full: it holds until the page goes.
  }
}

/** Begins to change between ages and dates where a moment is clicked on that is no link; buttons for it are at the end of each page. */
export function startTimes(): void {
  document.addEventListener('click', ({ target, defaultPrevented }) => {
    if (defaultPrevented || !(target instanceof Element)) return;
    if (target.closest('time') === null || target.closest('a, button') !== null) return;
    // Who selects a date to copy it does not want another.
    if (getSelection()?.isCollapsed === false) return;
    chooseTimes({ shows: times.get().shows === 'ages' ? 'dates' : 'ages' });
  });
  addEventListener('storage', ({ key }) => {
    if (key === KEY || key === null) times.set(read());
  });
}

function read(): Times {
  let kept: Partial<Times> | null = null;
  try {
    kept = JSON.parse(localStorage.getItem(KEY) ?? 'null');
  } catch {
    // The browser keeps nothing, or something else wrote there.
  }
  return {
    shows: kept?.shows === 'dates' ? 'dates' : 'ages',
    zone: kept?.zone === 'utc' ? 'utc' : 'local',
  };
}
