import { parseHex } from '@coinfront/protocol/bytes.ts';
import type { Checkpoint } from '@coinfront/protocol/signed-log/checkpoint.ts';
import { verifyConsistency } from '@coinfront/protocol/signed-log/verify-consistency.ts';
import type { Client } from '../client/client.ts';
import { isCoinfrontError } from '../client/error.ts';
import { LogError } from './log-error.ts';
import { type LogSource, ledgerLog, openLog, registryLog } from './log-source.ts';

/** What a log is now. */
export type FollowedLog = {
  /** Keep it, and give it the next time. */
  note: string;
  entries: number;
  /** Whether it went on from a checkpoint that was kept. */
  wasKnown: boolean;
};

/**
 * Reads the newest checkpoint of a registry's log, and refuses it unless it goes on from the one that was kept: so an operator who rewrites
 * what was in the log is found by whoever asks twice.
 *
 * @param registryKey - Ed25519, hex, from a source other than the service
 * @param remembered - the note of the time before
 * @returns undefined where there is no log yet, and none was known
 * @throws LogError with both checkpoints
 * @example
 * const log = await followLog(client, { registryKey }, localStorage.getItem('log') ?? undefined);
 */
export function followLog(
  client: Client,
  { registryKey }: { registryKey: string },
  remembered?: string,
): Promise<FollowedLog | undefined> {
  return follow(client, registryLog(registryKey), remembered);
}

/**
 * The same for the log of a treasury's ledger.
 *
 * @param serviceKey - Ed25519, hex, from a source other than the service
 * @throws LogError with both checkpoints
 * @example
 * const log = await followLedgerLog(client, { serviceKey }, localStorage.getItem('ledger-log') ?? undefined);
 */
export function followLedgerLog(
  client: Client,
  { serviceKey }: { serviceKey: string },
  remembered?: string,
): Promise<FollowedLog | undefined> {
  return follow(client, ledgerLog(serviceKey), remembered);
}

async function follow(
  client: Client,
  log: LogSource,
  remembered: string | undefined,
): Promise<FollowedLog | undefined> {
  const shown = await readNote(client, log);
  if (shown === undefined) {
    if (remembered === undefined) return undefined;
    throw new LogError('log_gone', { remembered });
  }
  const now = openLog(shown, log, { remembered, shown });
  if (remembered === undefined) return { note: shown, entries: now.size, wasKnown: false };
  const before = openLog(remembered, log, { remembered, shown });
  if (now.size < before.size) throw new LogError('log_shorter', { remembered, shown });
  const path =
    now.size === before.size ? [] : await readPath(client, log, { from: before.size, to: now.size });
  if (path === undefined || !isContinued(before, now, path))
    throw new LogError('log_forked', { remembered, shown });
  return { note: shown, entries: now.size, wasKnown: true };
}

function isContinued(before: Checkpoint, now: Checkpoint, path: readonly Uint8Array[]): boolean {
  return verifyConsistency({
    ...{ oldSize: before.size, oldRoot: before.root, newSize: now.size, newRoot: now.root },
    path,
  });
}

/** A log that was there before, or none; services of before do not know of it. */
async function readNote(client: Client, log: LogSource): Promise<string | undefined> {
  try {
    return await log.getCheckpoint(client);
  } catch (error) {
    if (isCoinfrontError(error) && error.status === 404) return undefined;
    throw error;
  }
}

async function readPath(
  client: Client,
  log: LogSource,
  sizes: { from: number; to: number },
): Promise<Uint8Array[] | undefined> {
  const { path } = await log.proveGrowth(client, sizes);
  if (!Array.isArray(path)) return undefined;
  const hashes = path.map((hash) => parseHex(String(hash)));
  return hashes.every((hash) => hash.ok) ? hashes.map(({ value }) => value) : undefined;
}
