import { mkdir, readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { writePrivateJson } from './private-json.ts';

/** Newest checkpoints that were seen of logs, by service and chain: beside the wallet, and for its owner only. */
export type LogHeads = Readonly<Record<string, SeenHead>>;
export type SeenHead = { readonly note: string; readonly seen_at: string };

type HeadsJson = { format: 'coin-log-heads'; version: 1; heads: Record<string, SeenHead> };

const maxFileBytes = 1_048_576;
/** Logs that are remembered; the one that was seen longest ago gives way. */
const maxHeads = 100;

/** The file of what was seen of logs. */
export function headsPathOf(walletPath: string): string {
  return `${walletPath}.heads`;
}

/**
 * What was seen before. Unlike a cache, a file that is there and cannot be used is no reason to begin anew.
 *
 * @throws Error where it cannot be read, or is none
 */
export async function readHeads(walletPath: string): Promise<LogHeads> {
  const path = headsPathOf(walletPath);
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (found === undefined) return {};
  if (found.size > maxFileBytes) throw new Error(`${path} is too large.`);
  const json = JSON.parse(await readFile(path, 'utf8')) as HeadsJson | null;
  const heads = json?.format === 'coin-log-heads' && json.version === 1 ? json.heads : undefined;
  if (typeof heads !== 'object' || heads === null)
    throw new Error(`${path} is no file of heads that coin keeps. Move it away to begin anew.`);
  return heads;
}

/** Keeps what was seen, also where there is no wallet yet: whole or not at all. */
export async function writeHeads(walletPath: string, heads: LogHeads): Promise<void> {
  const newest = Object.entries(heads)
    .sort(([, a], [, b]) => b.seen_at.localeCompare(a.seen_at))
    .slice(0, maxHeads);
  const json: HeadsJson = { format: 'coin-log-heads', version: 1, heads: Object.fromEntries(newest) };
  await mkdir(dirname(walletPath), { recursive: true, mode: 0o700 });
  await writePrivateJson(headsPathOf(walletPath), json);
}
