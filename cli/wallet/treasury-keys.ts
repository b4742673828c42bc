import type { TreasuryStatusJson } from '@coinfront/api/treasury.ts';
import { misuse } from '../shell/cli-error.ts';

/** The key that a treasury's ledger has to be signed by. */
export const treasuryKeyOption = {
  value: '<key>',
  summary:
    "the service's key, from a source that you trust; several with commas. What the service says unless given",
} as const;

/** The keys that were given, or else the one that the service names. */
export function findTreasuryKeys(
  given: string | undefined,
  { head }: Pick<TreasuryStatusJson, 'head'>,
): string[] {
  if (given === undefined) return head === null ? [] : [head.service_key];
  const keys = given.toLowerCase().split(',');
  if (!keys.every((key) => /^[0-9a-f]{64}$/.test(key))) throw misuse('--key: a key has 64 hex digits.');
  return keys;
}
