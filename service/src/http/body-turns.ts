/** Bytes of bodies that are parsed in a turn of the event loop, of all connections together. */
const bytesOfTurn = 524_288;

/** Whose bytes are parsed now. */
export type BodyTurns = {
  /** Whether so many bytes of a body may be parsed in this turn: the last ones of it may be more than are left. */
  take(bytes: number): boolean;
  /** Calls `go` in a turn to come; who waits longest comes first. */
  wait(go: () => void): void;
};

/**
 * Creates the turns of a server. What has come meanwhile is read from every connection at once: megabytes on each of hundreds would
 * otherwise be parsed before anybody else is served.
 */
export function createBodyTurns(): BodyTurns {
  let left = bytesOfTurn;
  let waiting: (() => void)[] = [];
  let isDue = false;

  const begin = (): void => {
    isDue = false;
    left = bytesOfTurn;
    const due = waiting;
    waiting = [];
    for (const [i, go] of due.entries()) {
      if (left > 0) {
        go();
        continue;
      }
      waiting = [...due.slice(i), ...waiting];
      awaitNext();
      break;
    }
  };
  const awaitNext = (): void => {
    if (isDue) return;
    isDue = true;
    setImmediate(begin);
  };

  return {
    take(bytes) {
      if (left <= 0) return false;
      left -= bytes;
      awaitNext();
      return true;
    },
    wait(go) {
      waiting.push(go);
      awaitNext();
    },
  };
}
