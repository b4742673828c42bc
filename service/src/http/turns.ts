/** Shares the one thread between long work and everybody else: a slice of work, then some turns of the event loop. */

/** Milliseconds that a slice of work may take before it gives way. */
export const sliceMs = 2;
/** Turns of the event loop between two slices: a new connection is accepted, read and answered in so many. */
const turnsBetween = 4;

/** Resolves when the caller may work for another slice; whoever waits longest comes first. */
export type TakeTurn = () => Promise<void>;

/** Creates a queue of its own. Between two of its slices the event loop serves all that is ready. */
export function createTurns(): TakeTurn {
  const waiting: (() => void)[] = [];
  let pause = 0;
  let isTurning = false;
  const turn = (): void => {
    if (pause > 0) {
      pause -= 1;
    } else {
      waiting.shift()?.();
      pause = turnsBetween;
    }
    isTurning = waiting.length > 0 || pause > 0;
    if (isTurning) setImmediate(turn);
  };
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      if (isTurning) return;
      isTurning = true;
      setImmediate(turn);
    });
}
