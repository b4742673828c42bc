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
export async function followRegistry(
  context: Context,
  { service, config, client }: Connection,
): Promise<FollowedRegistry> {
  const status = await getRegistryStatus(client);
  const log = await followRemembered(context, {
    name: `${service} ${config.genesis_hash}`,
    title: 'the log of this registry',
    shownKey: status.registry_key,
    follow: (registryKey, remembered) => followLog(client, { registryKey }, remembered),
  });
  return { status, log };
}
