/** Says a line; left out when it would be one too many. */
export type Say = (line: string) => void;

/**
 * Lets at most one line pass in `everyMs`; the next one that passes tells how many were left out.
 *
 * @param now milliseconds that only grow
 */
export function limitLines(say: Say, everyMs: number, now: () => number = () => performance.now()): Say {
  let nextAt = Number.NEGATIVE_INFINITY;
  let leftOut = 0;
  return (line) => {
    if (now() < nextAt) {
      leftOut += 1;
      return;
    }
    say(leftOut === 0 ? line : `${line} (${leftOut} more since the last such line.)`);
    nextAt = now() + everyMs;
    leftOut = 0;
  };
}
