import type { TreasuryStatusJson } from '@coinfront/api/treasury.ts';
import type { LoggedHead } from '@coinfront/protocol/treasury/ledger-head.ts';
import type { LedgerOwner } from '@coinfront/sdk/verify/follow-ledger.ts';
import { followLedgerLog } from '@coinfront/sdk/verify/follow-log.ts';
import { CliError } from '../shell/cli-error.ts';
import type { Context } from '../shell/context.ts';
import { exitCodes } from '../shell/exit-codes.ts';
import { findTreasuryKeys } from '../wallet/treasury-keys.ts';
import { followRemembered, type SeenLog } from './follow-remembered.ts';
import type { Connection } from './open-connection.ts';

/**
 * Reads the log of a treasury's ledger, and what of the ledger is asked for beside it. The log has to go on from what this wallet has seen of it.
 *
 * @param givenKeys - `--key`; what the service says unless given
 * @returns undefined while the ledger is empty, or has no log that was asked for
 * @throws CliError as {@link followRemembered}, and `other_service`: the ledger is signed by no key that was given
 */
export function followTreasury<T extends { note: string | undefined }>(
  context: Context,
  { service, config }: Pick<Connection, 'service' | 'config'>,
  { head }: Pick<TreasuryStatusJson, 'head'>,
  givenKeys: string | undefined,
  follow: (owner: LedgerOwner, remembered: string | undefined) => Promise<T | undefined>,
): Promise<SeenLog<T> | undefined> {
  const keys = findTreasuryKeys(givenKeys, { head });
  if (head !== null && !keys.includes(head.service_key))
    throw new CliError(
      'other_service',
      `The ledger is signed by ${head.service_key}, which is not trusted.`,
      exitCodes.invalid,
    );
  return followRemembered(context, {
    ...describeLog({ service, config }),
    shownKey: head?.service_key ?? null,
    namedKeys: givenKeys === undefined ? [] : keys,
    follow: (serviceKey, remembered) =>
      follow({ serviceKey, earlierKeys: keys, genesisHash: config.genesis_hash }, remembered),
  });
}

/**
 * Whether the log of a treasury's ledger goes on from what this wallet has seen of it, if anything: one more read where it has not grown.
 *
 * @throws CliError as {@link followRemembered}
 */
export async function followKnownTreasury(context: Context, connection: Connection): Promise<void> {
  await followRemembered(context, {
    ...describeLog(connection),
    shownKey: undefined,
    follow: (serviceKey, remembered) => followLedgerLog(connection.client, { serviceKey }, remembered),
  });
}

function describeLog({ service, config }: Pick<Connection, 'service' | 'config'>) {
  return {
    // Beside the logs of registries, whose names begin with the service.
    name: `treasury log of ${service} ${config.genesis_hash}`,
    title: "the log of this treasury's ledger",
  };
}

/** Which head in the log holds an entry, for a line of print. */
export function describeHolder(head: LoggedHead | undefined): string {
  return head === undefined
    ? 'by no head yet: until the epoch ends, only the signature speaks for it'
    : `by the head of epoch ${head.epoch}, in the log`;
}
