import { getRegistryStatus } from '@coinfront/sdk/nodes/get-registry-status.ts';
import { type FollowedLog, followLog } from '@coinfront/sdk/verify/follow-log.ts';
import type { Context } from '../shell/context.ts';
import { followRemembered, type SeenLog } from './follow-remembered.ts';
import type { Connection } from './open-connection.ts';

/** What was seen of a registry's log, and before. */
export type FollowedRegistry = {
  status: Awaited<ReturnType<typeof getRegistryStatus>>;
  /** Undefined while there is no log. */
  log: SeenLog<FollowedLog> | undefined;
};

/**
 * Asks a registry how it is, and whether its log goes on from what this wallet has seen of it.
 *
 * @throws CliError as {@link followRemembered}
 */
export async function followRegistry(context: Context, connection: Connection): Promise<FollowedRegistry> {
  const status = await getRegistryStatus(connection.client);
  return { status, log: await follow(context, connection, status.registry_key) };
}

/**
 * Whether the log of a registry goes on from what this wallet has seen of it, if anything: one more read where it has not grown.
 *
 * @throws CliError as {@link followRemembered}
 */
export async function followKnownRegistry(context: Context, connection: Connection): Promise<void> {
  await follow(context, connection, undefined);
}

function follow(
  context: Context,
  { service, config, client }: Connection,
  shownKey: string | null | undefined,
): Promise<SeenLog<FollowedLog> | undefined> {
  return followRemembered(context, {
    ...{ name: `${service} ${config.genesis_hash}`, title: 'the log of this registry', shownKey },
    follow: (registryKey, remembered) => followLog(client, { registryKey }, remembered),
  });
}
