/** How many things that the page shows have not come yet: its code, and answers that it has nothing of. */

import { createStore } from './store.ts';

const pending = createStore(0);

/** Counts one thing more, until the function that is returned is called; a second call changes nothing. */
export function beginPending(): () => void {
  let isOver = false;
  pending.set(pending.get() + 1);
  return () => {
    if (isOver) return;
    isOver = true;
    pending.set(pending.get() - 1);
  };
}

/**
 * Calls back once all has come and is drawn: what is shown may ask for more, so it must stay so for two frames.
 *
 * @returns what gives up waiting
 */
export function whenAllIsDrawn(callBack: () => void): () => void {
  let isOver = false;
  let isLooking = false;
  function look(): void {
    if (isOver || isLooking || pending.get() > 0) return;
    isLooking = true;
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        isLooking = false;
        if (isOver || pending.get() > 0) return;
        stop();
        callBack();
      }),
    );
  }
  const unsubscribe = pending.subscribe(look);
  function stop(): void {
    isOver = true;
    unsubscribe();
  }
  look();
  return stop;
}
