import {
  dayOf,
  type NameClient,
  type NamedClient,
  type NamedNetwork,
  secondsOfDayLeft,
} from '../../../clients/client-names.ts';
import type { ClientQuery } from '../../../clients/client-tables.ts';
import { takeDailyShare } from '../../../clients/daily-share.ts';
import type { Precious } from '../../../db/precious.ts';
import { AppError } from '../../../errors.ts';
import type { CalendarQuery, CalendarTables } from './calendar-tables.ts';
import { countPending, findKnown, insertPending, type KnownDigest } from './pending-store.ts';

/** What a calendar may do. */
export type CalendarBounds = {
  /** Milliseconds between two trees at the least. */
  intervalMs: number;
  /** Digests that it takes a day (UTC), in all and of one client. */
  dailyLimit: number;
  dailyLimitPerClient: number;
};

export type Calendar = {
  readonly bounds: CalendarBounds;
  /**
   * Takes digests (hex), each of which is in the chain some time: it is committed before this gives an answer. One that was taken before
   * is what it was.
   *
   * @param address of the client
   * @returns what is known of each, in their order
   * @throws AppError `calendar_full`, `digests_exhausted`
   */
  take(digests: readonly string[], address: string): Promise<KnownDigest[]>;
  describe(): Promise<{ waiting: number; leftToday: number }>;
};

/** Digests that may wait; about what a day brings. */
const MAX_WAITING = 1_000_000;
/** None of the networks around a client has more than this part of a day. */
const PART_OF_NETWORK = 4;
/** What waits is counted once in this time. */
const COUNT_KEPT_MS = 1_000;
/** Who is counted for the service as a whole. */
const EVERYBODY: NamedNetwork = { name: 'everybody', share: 1, names: ['everybody'] };

/** Opens the calendar of a service that has a wallet for its transactions. */
export function openCalendar({
  precious,
  bounds,
  nameClient,
  now,
}: {
  precious: Precious;
  bounds: CalendarBounds;
  nameClient: NameClient;
  /** Unix milliseconds. */
  now: () => number;
}): Calendar {
  let counted: { at: number; waiting: number } | undefined;
  const countWaiting = async (): Promise<number> => {
    const nowMs = now();
    if (counted === undefined || nowMs - counted.at >= COUNT_KEPT_MS)
      counted = { at: nowMs, waiting: await countPending(precious.query<CalendarTables>()) };
    return counted.waiting;
  };
  const takeShares = async (trx: CalendarQuery, client: NamedClient, amount: number): Promise<void> => {
    const { dailyLimit, dailyLimitPerClient } = bounds;
    const db = trx as unknown as ClientQuery;
    const nowMs = now();
    const bound = { ofClient: dailyLimitPerClient, ofNetwork: Math.floor(dailyLimit / PART_OF_NETWORK) };
    if (await takeDailyShare(db, 'calendar_digest', client, bound, nowMs, amount))
      throw exhausted(`A client has ${dailyLimitPerClient} digests a day, and its network its share`, nowMs);
    const all = { ofClient: dailyLimit };
    if (await takeDailyShare(db, 'calendar_digest', [EVERYBODY], all, nowMs, amount))
      throw exhausted(`This service takes ${dailyLimit} digests a day`, nowMs);
  };
  return {
    bounds,
    async take(digests, address) {
      const waiting = await countWaiting();
      const client = await nameClient(address, now());
      let taken = 0;
      const known = await precious.transaction<CalendarTables, Map<string, KnownDigest>>(async (trx) => {
        const found = await findKnown(trx, digests);
        const fresh = [...new Set(digests.filter((digest) => !found.has(digest)))];
        if (fresh.length === 0) return found;
        if (waiting + fresh.length > MAX_WAITING) throw full(waiting);
        await takeShares(trx, client, fresh.length);
        const acceptedAt = now();
        await insertPending(trx, fresh, acceptedAt);
        taken = fresh.length;
        for (const digest of fresh) found.set(digest, { digest, acceptedAt, part: undefined });
        return found;
      });
      if (counted !== undefined) counted.waiting += taken;
      return digests.map((digest) => known.get(digest)!);
    },
    async describe() {
      return {
        waiting: await countWaiting(),
        leftToday: bounds.dailyLimit - (await countToday(precious, now())),
      };
    },
  };
}

async function countToday(precious: Precious, nowMs: number): Promise<number> {
  const row = await (precious.query() as unknown as ClientQuery)
    .selectFrom('client_day')
    .select('count')
    .where('day', '=', dayOf(nowMs))
    .where('what', '=', 'calendar_digest')
    .where('client', '=', EVERYBODY.name)
    .executeTakeFirst();
  return Number(row?.count ?? 0);
}

function full(waiting: number): AppError {
  const detail = `${waiting} digests wait for a transaction already; ${MAX_WAITING} may. Try again later.`;
  return new AppError('calendar_full', detail, { 'retry-after': '600' });
}

function exhausted(fault: string, nowMs: number): AppError {
  return new AppError(
    'digests_exhausted',
    `${fault} (UTC). Anchor with your own wallet, or try again tomorrow.`,
    {
      'retry-after': String(secondsOfDayLeft(nowMs)),
    },
  );
}
