/** Schemas that several parts share. Every amount is a decimal string of coins with all of the coin's decimals. */

import Type, { type Static, type TSchema } from 'typebox';

/** An object with exactly these properties. */
export function Strict<const P extends Record<string, TSchema>>(
  properties: P,
  options: Record<string, unknown> = {},
) {
  return Type.Object(properties, { additionalProperties: false, ...options });
}

/** A value that may be null: OpenAPI 3.0.3 has `nullable` where JSON Schema has a union. */
export function Nullable<T extends TSchema>(schema: T) {
  return Type.Unsafe<Static<T> | null>({ ...schema, nullable: true });
}

/** One of these texts. */
export function OneOf<const T extends readonly string[]>(values: T, options: Record<string, unknown> = {}) {
  return Type.Unsafe<T[number]>({ type: 'string', enum: values, ...options });
}

/** Coins as a decimal string with all of the coin's decimals, such as "0.50000000". */
export function Amount(description: string) {
  return Type.String({ pattern: '^[0-9]{1,20}(\\.[0-9]{1,18})?$', description: `${description} In coins.` });
}

/** Coins that may be negative. */
export function SignedAmount(description: string) {
  return Type.String({
    pattern: '^-?[0-9]{1,20}(\\.[0-9]{1,18})?$',
    description: `${description} In coins.`,
  });
}

/** A hash or txid as people read it: 64 hex digits, reversed. Both cases are accepted, lower case is written. */
export function Hash(description: string) {
  return Type.String({ pattern: '^[0-9a-fA-F]{64}$', minLength: 64, maxLength: 64, description });
}

/** A whole number from 0 on. */
export function Count(description: string) {
  return Type.Integer({ minimum: 0, description });
}

/** A moment: ISO 8601 in UTC. */
export function Time(description: string) {
  return Type.String({ format: 'date-time', description: `${description} UTC, ISO 8601.` });
}

/** Bytes in lower case hex. */
export function Hex(description: string) {
  return Type.String({ pattern: '^([0-9a-f]{2})*$', description });
}

/** An address in a path; whether it is one of this coin is checked after. */
export const AddressParameter = Type.String({
  minLength: 1,
  maxLength: 120,
  description: 'An address of this network, of any standard kind.',
});

/** Path of one address. */
export const AddressParams = Strict({ address: AddressParameter });

/** The block after which the answer holds. */
export const AsOf = Strict(
  { height: Count('Height of the tip.'), hash: Hash('Its block hash.') },
  { title: 'AsOf', description: 'The snapshot of the chain that the answer was read from.' },
);

/** A txid in a path. */
export const TxidParameter = Hash('Id of a transaction: 64 hex digits.');
