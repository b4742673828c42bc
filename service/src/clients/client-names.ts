/**
 * Names for clients in rows: an HMAC of each network with a key of the day. The key is deleted when the next day is over, and then
 * nobody can tell any more whose a name was, nor try addresses until one fits.
 */

import { createHmac, randomBytes } from 'node:crypto';
import type { Precious } from '../db/precious.ts';
import { parseClient } from './client.ts';
import type { ClientTables } from './client-tables.ts';

const DAY_MS = 86_400_000;
const KEY_BYTES = 32;
/** 128 bits: two clients never have the same. */
const NAME_DIGITS = 32;

/** A network of a client as rows name it: the client itself first, then what is around it. */
export type NamedNetwork = {
  /** How many times what one client may have. */
  readonly share: number;
  /** Today's. */
  readonly name: string;
  /** Today's and yesterday's: what lives for hours is looked for by both. */
  readonly names: readonly string[];
};

/** A client's networks by their names. */
export type NamedClient = readonly [NamedNetwork, ...NamedNetwork[]];

/** Names the client of an address; the time is Unix milliseconds. */
export type NameClient = (address: string, nowMs: number) => Promise<NamedClient>;

/** The day (UTC) of a time, as rows have it. */
export function dayOf(nowMs: number): number {
  return Math.floor(nowMs / DAY_MS);
}

/** Seconds until the next day (UTC), when everybody has a new share. */
export function secondsOfDayLeft(nowMs: number): number {
  return Math.ceil(((dayOf(nowMs) + 1) * DAY_MS - nowMs) / 1000);
}

/** Names clients by the keys of a database, which all processes share. */
export function createClientNames(precious: Precious): NameClient {
  let kept: { day: number; keys: readonly string[] } | undefined;
  return async (address, nowMs) => {
    const day = dayOf(nowMs);
    if (kept?.day !== day) kept = { day, keys: await findKeys(precious, day) };
    const { keys } = kept;
    const named = parseClient(address).networks.map(({ name, share }): NamedNetwork => {
      const names = keys.map((key) => hashName(key, name));
      return { share, name: names[0]!, names };
    });
    return named as unknown as NamedClient;
  };
}

function hashName(key: string, name: string): string {
  return createHmac('sha256', Buffer.from(key, 'hex')).update(name).digest('hex').slice(0, NAME_DIGITS);
}

/** Today's key, made when it is not there, and yesterday's where there is one; what is older is deleted. */
async function findKeys(precious: Precious, day: number): Promise<string[]> {
  return await precious.transaction<ClientTables, string[]>(async (trx) => {
    await trx
      .insertInto('client_key')
      .values({ day, key: randomBytes(KEY_BYTES).toString('hex') })
      .onConflict((conflict) => conflict.column('day').doNothing())
      .execute();
    await trx
      .deleteFrom('client_key')
      .where('day', '<', day - 1)
      .execute();
    await trx.deleteFrom('client_day').where('day', '<', day).execute();
    const rows = await trx
      .selectFrom('client_key')
      .select('key')
      .where('day', 'in', [day, day - 1])
      .orderBy('day', 'desc')
      .execute();
    return rows.map(({ key }) => key);
  });
}
