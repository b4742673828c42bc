/**
 * A queue of which the first is taken in the same time however long it is: of an array of thousands, `shift` moves all others. Plain data, since
 * every session has one.
 */
export type CallQueue<T> = { items: T[]; head: number };

/** Taken places are given back when there are so many, and as many as are left. */
const LEAST_GIVEN_BACK = 64;

/** An empty queue. */
export function createQueue<T>(): CallQueue<T> {
  return { items: [], head: 0 };
}

/** How many wait. */
export function countWaiting({ items, head }: CallQueue<unknown>): number {
  return items.length - head;
}

/** Takes the first; undefined where nothing waits. */
export function takeFirst<T>(queue: CallQueue<T>): T | undefined {
  const { items, head } = queue;
  if (head === items.length) return undefined;
  const first = items[head];
  queue.head++;
  if (queue.head >= LEAST_GIVEN_BACK && queue.head * 2 >= items.length) {
    items.splice(0, queue.head);
    queue.head = 0;
  }
  return first;
}

/** Forgets all. */
export function emptyQueue(queue: CallQueue<unknown>): void {
  queue.items = [];
  queue.head = 0;
}
