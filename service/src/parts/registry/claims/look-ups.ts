import type { CountedNetwork } from '../../../clients/client.ts';
import { AppError } from '../../../errors.ts';
import { createNetworkCount } from '../../../http/network-count.ts';

/** So many host names are looked up at once: for one client, and in all. */
export type LookUpBounds = { readonly ofClient: number; readonly inAll: number };

/** Does a look-up for a client. @throws AppError `claims_exhausted` where too many are under way */
export type LookUp = <T>(client: readonly CountedNetwork[], work: () => Promise<T>) => Promise<T>;

/**
 * Counts the look-ups that are under way. A name server that answers slowly holds its own for seconds: nobody shall hold all of them.
 */
export function createLookUps(bounds: LookUpBounds): LookUp {
  const underWay = createNetworkCount();
  let all = 0;
  return async (client, work) => {
    if (all >= bounds.inAll || underWay.findFull(client, bounds) !== undefined) {
      const detail = `Too many host names are looked up at this moment, ${bounds.ofClient} at once for a client; try again.`;
      throw new AppError('claims_exhausted', detail, { 'retry-after': '5' });
    }
    all += 1;
    underWay.add(client, 1);
    try {
      return await work();
    } finally {
      all -= 1;
      underWay.add(client, -1);
    }
  };
}
