import { electrumLimits } from '../electrum-limits.ts';

/** Reads what has come, now or in a later turn of the event loop; tells whether it was now. */
export type ReadInTurn = (read: () => void) => boolean;

/**
 * Shares the thread between reading and everybody else. In one turn of the event loop every socket may hand over megabytes, and all of them
 * would be parsed before anybody is answered: of each turn some milliseconds are for that, and what comes after them waits.
 *
 * @param now a clock in milliseconds
 */
export function createReadTurns(now: () => number = () => performance.now()): ReadInTurn {
  let waiting: (() => void)[] = [];
  let endsMs = 0;
  let isTurning = false;
  const begin = (): void => {
    endsMs = now() + electrumLimits.turnMs;
    setImmediate(turn);
  };
  const turn = (): void => {
    isTurning = waiting.length > 0;
    if (!isTurning) return;
    begin();
    let read = 0;
    while (read < waiting.length && now() < endsMs) waiting[read++]!();
    waiting = waiting.slice(read);
  };
  return (read) => {
    if (!isTurning) {
      isTurning = true;
      begin();
    }
    if (waiting.length === 0 && now() < endsMs) {
      read();
      return true;
    }
    waiting.push(read);
    return false;
  };
}
