/** Shares the one thread between long work and everybody else: one slice of work a turn of the event loop. */

/** Milliseconds that a slice of work may take before it gives way. */
export const sliceMs = 4;

/** Resolves when the caller may work for another slice; whoever waits longest comes first. */
export type TakeTurn = () => Promise<void>;

/** Creates a queue of its own. Between two of its turns the event loop serves all that is ready. */
export function createTurns(): TakeTurn {
  const waiting: (() => void)[] = [];
  const serve = (): void => {
    waiting.shift()?.();
    if (waiting.length > 0) setImmediate(serve);
  };
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      if (waiting.length === 1) setImmediate(serve);
    });
}
