/**
 * A look at the node's mempool before its time, because a transaction was just sent there. However often it is asked for, the
 * node is left alone between two looks for as long as {@link EarlyLook.ended} says.
 */
export type EarlyLook = {
  /** Asks for a look soon. */
  ask(): void;
  /** A look begins: what is asked for from now on may come too late for it. */
  began(): void;
  /** It has ended; the next is in `restMs` at the earliest. */
  ended(restMs: number): void;
};

/** @param ring is called when a look is due */
export function createEarlyLook(ring: () => void): EarlyLook {
  let looking = false;
  let asked = false;
  let restUntilMs = 0;
  let timer: NodeJS.Timeout | undefined;
  const plan = (): void => {
    if (!asked || looking || timer) return;
    timer = setTimeout(
      () => {
        timer = undefined;
        ring();
      },
      Math.max(0, restUntilMs - performance.now()),
    ).unref();
  };
  return {
    ask() {
      asked = true;
      plan();
    },
    began() {
      looking = true;
      asked = false;
      clearTimeout(timer);
      timer = undefined;
    },
    ended(restMs) {
      looking = false;
      restUntilMs = performance.now() + restMs;
      plan();
    },
  };
}
