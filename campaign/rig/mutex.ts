/** Runs one thing after the other, in the order in which they came. */
export type Mutex = <T>(act: () => Promise<T>) => Promise<T>;

export function createMutex(): Mutex {
  let last: Promise<unknown> = Promise.resolve();
  return (act) => {
    const next = last.then(act, act);
    last = next.catch(() => {});
    return next;
  };
}
