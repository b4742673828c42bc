import type { IncomingMessage } from 'node:http';

/** What is more, or takes longer, is cut off instead. */
const MOST_BYTES = 4 << 20;
const MOST_MS = 2_000;

/**
 * Reads what is still to come of a body that is refused, and forgets it. A connection that is closed while its client still sends is reset, and
 * a proxy then says in words of its own that the service failed.
 */
export async function drainBody(request: IncomingMessage): Promise<void> {
  const length = Number(request.headers['content-length']);
  if (!(length <= MOST_BYTES) || request.complete || request.destroyed) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, MOST_MS);
  for (const event of ['end', 'close', 'error']) request.once(event, () => resolve());
  request.resume();
  await promise;
  clearTimeout(timer);
}
