import { getRegistryStatus } from '@coinfront/sdk/nodes/get-registry-status.ts';
import { followLog } from '@coinfront/sdk/verify/follow-log.ts';
import { LogError } from '@coinfront/sdk/verify/log-error.ts';
import { readHeads, type SeenHead, writeHeads } from '../cache/log-heads.ts';
import { findWalletPath } from '../keystore/read-wallet-json.ts';
import { CliError } from '../shell/cli-error.ts';
import type { Context } from '../shell/context.ts';
import { exitCodes } from '../shell/exit-codes.ts';
import type { Connection } from './open-connection.ts';

/** What was seen of a registry's log, and before. */
export type FollowedRegistry = {
  status: Awaited<ReturnType<typeof getRegistryStatus>>;
  /** Undefined while there is no log. */
  log: { note: string; entries: number; knownSince: string | undefined } | undefined;
};

/** Names a log by the service and the chain: its key belongs to what is remembered, or another key would begin another log. */
function nameOf({ service, config }: Connection): string {
  return `${service} ${config.genesis_hash}`;
}

/**
 * Asks a registry how it is, and whether its log goes on from what this wallet has seen of it. What was seen stays remembered when it
 * does not.
 *
 * @throws CliError `log_forked` and the like, with what was remembered and what was shown
 */
export async function followRegistry(context: Context, connection: Connection): Promise<FollowedRegistry> {
  const status = await getRegistryStatus(connection.client);
  const path = findWalletPath(context);
  const heads = await readHeads(path);
  const name = nameOf(connection);
  const seen: SeenHead | undefined = heads[name];
  const registryKey = seen === undefined ? status.registry_key : keyOf(seen.note);
  if (registryKey === null) return { status, log: undefined };
  if (seen !== undefined && status.registry_key !== registryKey)
    throw refuse(
      'log_other_key',
      `The registry signs by another key than before: ${status.registry_key}.`,
      seen,
    );
  try {
    const log = await followLog(connection.client, { registryKey }, seen?.note);
    if (log === undefined) return { status, log };
    const { note, entries } = log;
    if (note !== seen?.note)
      await writeHeads(path, { ...heads, [name]: { note, seen_at: new Date().toISOString() } });
    return { status, log: { note, entries, knownSince: seen?.seen_at } };
  } catch (error) {
    if (!(error instanceof LogError)) throw error;
    throw refuse(error.code, error.message, seen, error.shown);
  }
}

/** Two heads of one size with different roots: there is no log that has both. Both were opened before. */
function isProof(seen: string | undefined, shown: string | undefined): boolean {
  const [a, b] = [seen, shown].map((note) => note?.split('\n', 3));
  if (a === undefined || b === undefined) return false;
  return a[0] === b[0] && a[1] === b[1] && a[2] !== b[2];
}

/** The key that the origin of a checkpoint names. */
function keyOf(note: string): string {
  return note.slice(note.indexOf('/') + 1, note.indexOf('\n'));
}

function refuse(code: string, what: string, seen: SeenHead | undefined, shown?: string): CliError {
  const kept = seen === undefined ? '' : ` The checkpoint that was seen on ${seen.seen_at} is kept.`;
  const message =
    `WARNING: the log of this registry was changed, or is not the one it was. ${what}${kept} ` +
    (isProof(seen?.note, shown)
      ? 'Keep both checkpoints (--json prints them): they prove it.'
      : 'Keep what was seen (--json prints it): others can ask the log for the proof that it does not have.');
  const facts = { remembered: seen?.note ?? null, shown: shown ?? null };
  return new CliError(code, message, exitCodes.invalid, { facts });
}
