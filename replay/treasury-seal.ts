import { expectSame } from './difference.ts';
import type { Json } from './list-new.ts';
import { hashText, isSigned } from './signed-log.ts';

/** What is kept of a sealed entry for the next one. */
export type Seal = { readonly hash: string; readonly key: string };

/** Fields of an entry that are sealed as the ledger shows them. */
const FIELDS = [
  ...['sequence', 'kind', 'amount', 'balance', 'txid', 'vout', 'height', 'block_hash', 'block_time'],
  ...['recorded_at', 'late', 'reason', 'reverses', 'assigned_by', 'refers_to', 'purpose', 'payee'],
];
const NO_HASH = '0'.repeat(64);

/**
 * Checks the seal of an entry: `docs/protocols/treasury.md`, "The ledger". Undefined where it has none yet, as the newest ones may.
 *
 * @param before - the seal of the entry before it; undefined of the first entry
 * @param height - told of with a difference
 * @throws Difference
 */
export function checkSeal(
  item: Json,
  before: Seal | undefined,
  network: string,
  height: number,
): Seal | undefined {
  const { seal, sequence } = item;
  if (!seal) return undefined;
  const at = `entry ${sequence} of the treasury's ledger`;
  const { previous_hash, attribution, hash, service_key, signature } = seal;
  const fields = { type: 'treasury-entry', version: 1, network, service_key, previous_hash, attribution };
  const shown = Object.fromEntries(FIELDS.map((name) => [name, item[name]]));
  const text = Object.entries({ ...fields, ...shown }).filter(
    ([, value]) => value !== null && value !== undefined,
  );
  expectSame(height, `hash of ${at}`, hashText(Object.fromEntries(text)), hash);
  const isGood = isSigned('treasury ledger entry, version 1', hash, signature, service_key);
  expectSame(height, `whether the signature of ${at} is that of its key`, true, isGood);
  expectSame(height, `whether there is a seal before ${at}`, sequence > 1, before !== undefined);
  expectSame(height, `previous_hash of ${at}`, before?.hash ?? NO_HASH, previous_hash);
  if (before) expectSame(height, `key of ${at}`, before.key, service_key);
  return { hash, key: service_key };
}
