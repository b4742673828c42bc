/**
 * Secrets of contributors: 32 bytes that only they have. Kept is an HMAC-SHA256 with a key of the service, which lies in the
 * same database, apart from the table: a backup is whole, and a copy of the table alone tells nothing of its secrets.
 */

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Precious } from '../../../db/precious.ts';
import type { TreasuryTables } from '../schema/treasury-tables.ts';

const KEY_ID = 'contributor';
const SECRET_BYTES = 32;
/** Of 32 random bytes fewer are different once in 10^20 times. */
const LEAST_DIFFERENT_BYTES = 16;

/** Turns a secret (64 hex digits, in either case) into the hash that is kept. */
export type HashSecret = (secret: string) => Promise<string>;

/** A new secret, in hex. */
export function createContributorSecret(): string {
  return randomBytes(SECRET_BYTES).toString('hex');
}

/** Whether a secret that was given has so few different bytes that nobody drew it at random. */
export function isWeakSecret(secret: string): boolean {
  return new Set(Buffer.from(secret, 'hex')).size < LEAST_DIFFERENT_BYTES;
}

/** Gives the hash function of a database; its key is made when the first secret is hashed. */
export function createSecretHash(precious: Precious): HashSecret {
  let key: Buffer | undefined;
  return async (secret) => {
    key ??= await getKey(precious);
    return createHmac('sha256', key).update(Buffer.from(secret, 'hex')).digest('hex');
  };
}

/** Compares two hashes in constant time. */
export function isSameSecretHash(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a, 'hex'), Buffer.from(b, 'hex')];
  return left.length === right.length && timingSafeEqual(left, right);
}

async function getKey(precious: Precious): Promise<Buffer> {
  return await precious.transaction<TreasuryTables, Buffer>(async (trx) => {
    await trx
      .insertInto('treasury_secret_key')
      .values({ id: KEY_ID, key: randomBytes(SECRET_BYTES).toString('hex') })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute();
    const row = await trx
      .selectFrom('treasury_secret_key')
      .select('key')
      .where('id', '=', KEY_ID)
      .executeTakeFirstOrThrow();
    return Buffer.from(row.key, 'hex');
  });
}
