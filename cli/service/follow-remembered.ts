import { LogError } from '@coinfront/sdk/verify/log-error.ts';
import { readHeads, type SeenHead, writeHeads } from '../cache/log-heads.ts';
import { findWalletPath } from '../keystore/read-wallet-json.ts';
import { CliError } from '../shell/cli-error.ts';
import type { Context } from '../shell/context.ts';
import { exitCodes } from '../shell/exit-codes.ts';

/** What was read of a log, with its newest checkpoint; without one where it has none. */
type Noted = { note: string | undefined };

/** A log that `coin` remembers the newest checkpoint of. */
export type RememberedLog<T extends Noted> = {
  /** Its name among what is remembered: of the service and the chain, and not of the key, or another key would begin another log. */
  name: string;
  /** What people call it. */
  title: string;
  /** The key that the service says it is signed by now; null for none. Where it was not asked, undefined: then what is remembered is followed, if anything. */
  shownKey: string | null | undefined;
  /** Keys that the user has named: a log under one of them may take the place of the one before. */
  namedKeys?: readonly string[] | undefined;
  /** Reads it, and whether it goes on from what was kept; undefined while there is none. */
  follow(publicKey: string, remembered: string | undefined): Promise<T | undefined>;
};

/** What was read, and when the checkpoint was seen that it goes on from; undefined the first time. */
export type SeenLog<T> = T & { knownSince: string | undefined };

/**
 * Reads a log, which has to go on from what this wallet has seen of it, and remembers what it is now. What was seen stays remembered when it
 * does not.
 *
 * @returns undefined while there is none to read
 * @throws CliError `log_forked` and the like, with what was remembered and what was shown
 */
export async function followRemembered<T extends Noted>(
  context: Context,
  { name, title, shownKey, namedKeys = [], follow }: RememberedLog<T>,
): Promise<SeenLog<T> | undefined> {
  const path = findWalletPath(context);
  const heads = await readHeads(path);
  const isReplaced =
    typeof shownKey === 'string' && namedKeys.includes(shownKey) && keyOf(heads[name]) !== shownKey;
  const seen = isReplaced ? undefined : heads[name];
  const publicKey = keyOf(seen) ?? shownKey;
  if (typeof publicKey !== 'string') return undefined;
  if (shownKey === null)
    throw refuse(title, 'log_gone', 'The service names no key any more that it signs by.', seen);
  if (shownKey !== undefined && shownKey !== publicKey)
    throw refuse(title, 'log_other_key', `It is signed by another key than before: ${shownKey}.`, seen);
  try {
    const log = await follow(publicKey, seen?.note);
    if (log === undefined) return undefined;
    if (log.note !== undefined && log.note !== seen?.note) await remember(path, name, heads[name], log.note);
    return { ...log, knownSince: seen?.seen_at };
  } catch (error) {
    if (!(error instanceof LogError)) throw error;
    throw refuse(title, error.code, error.message, seen, error.shown);
  }
}

/** A service may take its time, and another command remember something meanwhile: of other logs that stays, and of this one it is newer. */
async function remember(
  path: string,
  name: string,
  before: SeenHead | undefined,
  note: string,
): Promise<void> {
  const present = await readHeads(path);
  if (present[name]?.note !== before?.note) return;
  await writeHeads(path, { ...present, [name]: { note, seen_at: new Date().toISOString() } });
}

/** Since when a log is known, for a line of print. */
export function describeKnown(since: string | undefined): string {
  return since === undefined ? ', seen for the first time' : `, goes on from what was seen on ${since}`;
}

/** The key that the origin of a checkpoint names. */
function keyOf(seen: SeenHead | undefined): string | undefined {
  return seen?.note.slice(seen.note.indexOf('/') + 1, seen.note.indexOf('\n'));
}

/** Two heads of one size with different roots: there is no log that has both. Both were opened before. */
function isProof(seen: string | undefined, shown: string | undefined): boolean {
  const [a, b] = [seen, shown].map((note) => note?.split('\n', 3));
  if (a === undefined || b === undefined) return false;
  return a[0] === b[0] && a[1] === b[1] && a[2] !== b[2];
}

function refuse(
  title: string,
  code: string,
  what: string,
  seen: SeenHead | undefined,
  shown?: string,
): CliError {
  const kept = seen === undefined ? '' : ` The checkpoint that was seen on ${seen.seen_at} is kept.`;
  const message =
    `WARNING: ${title} was changed, or is not the one it was. ${what}${kept} ` +
    (isProof(seen?.note, shown)
      ? 'Keep both checkpoints (--json prints them): they prove it.'
      : 'Keep what was seen (--json prints it): others can ask the log for the proof that it does not have.');
  const facts = { remembered: seen?.note ?? null, shown: shown ?? null };
  return new CliError(code, message, exitCodes.invalid, { facts });
}
