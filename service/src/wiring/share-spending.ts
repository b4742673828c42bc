import { randomBytes } from 'node:crypto';
import { findSharedKey } from '../clients/shared-key.ts';
import { type Channel, openPostgresChannel } from '../db/postgres-channel.ts';
import type { SpendingShare } from '../http/rate-limit.ts';
import { readSpent, writeSpent } from '../http/spending-notes.ts';
import { pause } from '../pause.ts';
import { openSiblingChannel } from './cluster/parent-link.ts';
import type { Ground } from './ground.ts';
import type { Wired } from './wired.ts';

const CHANNEL = 'coinfront_spent';
/** How often others are told. What a client spends in several processes within it is noticed afterwards. */
const TELL_MS = 100;
const RETRY_MS = 1_000;

/**
 * Has the processes that answer requests count together what each client spends: on PostgreSQL all of one database, on
 * SQLite those that one start made.
 */
export function shareSpending({ config, storage, server }: Ground): Wired {
  const { databaseUrl, roles, rateLimitPerMinute } = config;
  if (!roles.has('api') || rateLimitPerMinute === undefined) return {};
  const sender = randomBytes(6).toString('hex');
  const closing = new AbortController();
  const { signal } = closing;
  let share: SpendingShare | undefined;
  const hear = (message: string): void => share?.add(readSpent(sender, message), Date.now());
  const channel: Channel | undefined =
    databaseUrl === undefined
      ? openSiblingChannel(CHANNEL, hear)
      : openPostgresChannel(databaseUrl, CHANNEL, hear);
  if (channel === undefined) return {};

  const run = async (): Promise<void> => {
    while (!signal.aborted && share === undefined) {
      const key = await findSharedKey(storage.precious, CHANNEL).catch(() => undefined);
      if (key) share = server.shareSpending(key);
      else await pause(RETRY_MS, signal);
    }
    while (!signal.aborted) {
      await pause(TELL_MS, signal);
      for (const message of writeSpent(sender, share!.take())) channel.send(message);
    }
  };
  const ended = run();
  return {
    async finish() {
      closing.abort();
      await ended;
    },
    close: () => channel.close(),
  };
}
