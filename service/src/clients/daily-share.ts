/** What a client may do a day (UTC), counted in the database: a restart, or another process, counts on. */

import { dayOf, type NamedClient, type NamedNetwork } from './client-names.ts';
import type { ClientQuery } from './client-tables.ts';

/** What is counted: each has a count of its own. */
export type DailyThing =
  | 'calendar_digest'
  | 'contributor'
  | 'exact_amount'
  | 'node_alert'
  | 'registration'
  | 'submission';

/** How often a day: `ofClient` by a client, times its share by a network around it, `ofNetwork` at most. */
export type DailyBound = { readonly ofClient: number; readonly ofNetwork?: number };

/**
 * Counts one more, or `amount` more, for a client and each network around it.
 *
 * @returns the network that may do no more, whose caller takes the transaction back: some were counted already
 */
export async function takeDailyShare(
  db: ClientQuery,
  what: DailyThing,
  client: NamedClient,
  { ofClient, ofNetwork = Number.MAX_SAFE_INTEGER }: DailyBound,
  nowMs: number,
  amount = 1,
): Promise<NamedNetwork | undefined> {
  for (const network of client) {
    const most = Math.max(ofClient, Math.min(ofClient * network.share, ofNetwork));
    if (amount > most) return network;
    const counted = await db
      .insertInto('client_day')
      .values({ day: dayOf(nowMs), what, client: network.name, count: amount })
      .onConflict((conflict) =>
        conflict
          .columns(['day', 'what', 'client'])
          .doUpdateSet(({ eb, ref }) => ({ count: eb(ref('client_day.count'), '+', amount) }))
          .where('client_day.count', '<=', most - amount),
      )
      .returning('client')
      .executeTakeFirst();
    if (counted === undefined) return network;
  }
  return undefined;
}
