import type { TreasuryStatusJson } from '@coinfront/api/treasury.ts';
import { readHeads, writeHeads } from '../cache/log-heads.ts';
import { findWalletPath } from '../keystore/read-wallet-json.ts';
import { CliError } from '../shell/cli-error.ts';
import type { Context } from '../shell/context.ts';
import { exitCodes } from '../shell/exit-codes.ts';
import { findTreasuryKeys } from '../wallet/treasury-keys.ts';
import type { Connection } from './open-connection.ts';

/**
 * The key of the service's treasury that a claim names: the one that was given, or else the one that the service says, which has to be the
 * one that it said to this wallet before.
 *
 * @throws CliError `treasury_other_key`, `treasury_empty`
 */
export async function pinTreasuryKey(
  context: Context,
  { service, config }: Pick<Connection, 'service' | 'config'>,
  given: string | undefined,
  status: TreasuryStatusJson,
): Promise<string> {
  const [key] = findTreasuryKeys(given, status);
  if (key === undefined)
    throw new CliError('treasury_empty', 'The ledger of the treasury is empty: there is no gift.');
  if (given !== undefined) return key;
  const path = findWalletPath(context);
  const heads = await readHeads(path);
  // Beside the logs of registries, whose names begin with the service.
  const name = `treasury key of ${service} ${config.genesis_hash}`;
  const seen = heads[name];
  if (seen !== undefined && seen.note !== key) {
    throw new CliError(
      'treasury_other_key',
      `WARNING: the treasury signs by another key than on ${seen.seen_at}: ${key}, before ${seen.note}. ` +
        'If its operator confirms the new one, give it with --key.',
      exitCodes.invalid,
      { facts: { remembered: seen.note, shown: key } },
    );
  }
  if (seen === undefined)
    await writeHeads(path, { ...heads, [name]: { note: key, seen_at: new Date().toISOString() } });
  return key;
}
