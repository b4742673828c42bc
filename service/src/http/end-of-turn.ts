/**
 * How many answers wait for each other. Enough for one waking to serve many, few enough that none waits long and that the
 * clients have work while the next ones are made.
 */
const MOST_HELD = 16;

type WriteAnswer = (error?: Error) => void;

/**
 * Lets answers that are ready in one turn of the event loop be written one right after the other, at its end.
 *
 * A write wakes the process at the other end when that sleeps, which costs more than the write itself. Written between
 * the making of two answers each finds it asleep again; written together only the first does. Measured with 64
 * connections on loopback, answers of 1 to 6 KB: up to half as many requests a second again.
 *
 * @returns takes what writes one answer; it is called in the order of the calls, and once more with the error if it throws
 */
export function createEndOfTurn(): (write: WriteAnswer) => void {
  let held: WriteAnswer[] = [];

  const release = (): void => {
    const due = held;
    held = [];
    for (const write of due) {
      try {
        write();
      } catch (error) {
        write(error as Error);
      }
    }
  };

  return (write) => {
    held.push(write);
    if (held.length === 1) setImmediate(release);
    else if (held.length === MOST_HELD) release();
  };
}
