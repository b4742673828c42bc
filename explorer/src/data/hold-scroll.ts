import { whenAllIsDrawn } from './pending.ts';

/** A page that is not whole by then is scrolled by its visitor. */
const LONGEST_MS = 10_000;
/** What a visitor does who wants to be elsewhere. */
const ownMoves = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const;

let letGo = () => {};
let heldTop: number | undefined;

/** Scrolls to a place, and stays there while what is shown still grows; whoever scrolls ends it. */
export function holdScroll(top: number): void {
  letGo();
  heldTop = top;
  const scroll = () => scrollTo(0, top);
  const growth = new ResizeObserver(scroll);
  const stopWaiting = whenAllIsDrawn(() => {
    scroll();
    letGo();
  });
  const timer = setTimeout(() => letGo(), LONGEST_MS);
  const moves = new AbortController();
  letGo = () => {
    heldTop = undefined;
    growth.disconnect();
    stopWaiting();
    clearTimeout(timer);
    moves.abort();
  };
  for (const move of ownMoves) {
    addEventListener(move, letGo, { passive: true, signal: moves.signal });
  }
  growth.observe(document.body);
  scroll();
}

/** Ends it: somewhere else is shown. */
export function endHeldScroll(): void {
  letGo();
}

/** Where the page is being held, which may be further than it reaches yet; undefined while its visitor scrolls. */
export function findHeldTop(): number | undefined {
  return heldTop;
}
