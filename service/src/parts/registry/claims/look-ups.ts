import type { NamedClient } from '../../../clients/client-names.ts';
import { AppError } from '../../../errors.ts';

/** So many host names are looked up at once: in all, and for one client, times its share of a network around it. */
export type LookUpBounds = { readonly all: number; readonly ofClient: number };

/** Does a look-up for a client. @throws AppError `claims_exhausted` where too many are under way */
export type LookUp = <T>(client: NamedClient, work: () => Promise<T>) => Promise<T>;

/**
 * Counts the look-ups that are under way. A name server that answers slowly holds its own for seconds: nobody shall hold all of them.
 */
export function createLookUps({ all, ofClient }: LookUpBounds): LookUp {
  const underWay = new Map<string, number>();
  let total = 0;

  const isFull = (client: NamedClient): boolean =>
    total >= all || client.some(({ name, share }) => (underWay.get(name) ?? 0) >= ofClient * share);
  const count = (client: NamedClient, by: 1 | -1): void => {
    total += by;
    for (const { name } of client) {
      const now = (underWay.get(name) ?? 0) + by;
      if (now === 0) underWay.delete(name);
      else underWay.set(name, now);
    }
  };

  return async (client, work) => {
    if (isFull(client)) {
      const detail = `Too many host names are looked up at this moment, ${ofClient} at once for a client; try again.`;
      throw new AppError('claims_exhausted', detail, { 'retry-after': '5' });
    }
    count(client, 1);
    try {
      return await work();
    } finally {
      count(client, -1);
    }
  };
}
