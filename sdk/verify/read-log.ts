import { equalBytes } from '@coinfront/protocol/bytes.ts';
import { type Checkpoint, digestOfHead } from '@coinfront/protocol/signed-log/checkpoint.ts';
import { readEntryBundle } from '@coinfront/protocol/signed-log/entry-bundle.ts';
import { createFrontier } from '@coinfront/protocol/signed-log/frontier.ts';
import { hashLeaf } from '@coinfront/protocol/signed-log/merkle-tree.ts';
import { TILE_WIDTH, writeTilePath } from '@coinfront/protocol/signed-log/tiles.ts';
import type { Client } from '../client/client.ts';
import type { LogSource } from './log-source.ts';

/** An entry of a log, with the digest of the checkpoint that it was the newest entry of. */
export type LogEntry = { place: number; text: string; digest: string };

/** Entries that are read; a log of one a day has them in centuries. */
const MAX_ENTRIES = 100_000;

/**
 * Reads all entries of a log up to a checkpoint.
 *
 * @returns undefined where they are not what the checkpoint is signed for
 */
export async function readLog(
  client: Client,
  { tiles }: Pick<LogSource, 'tiles'>,
  { origin, size, root }: Checkpoint,
): Promise<LogEntry[] | undefined> {
  if (size > MAX_ENTRIES) throw new RangeError(`a log of ${size} entries is not read`);
  const frontier = createFrontier();
  const read: LogEntry[] = [];
  for (let index = 0; index * TILE_WIDTH < size; index++) {
    const width = Math.min(TILE_WIDTH, size - index * TILE_WIDTH);
    const path = `${tiles}/${writeTilePath({ level: 'entries', index, width })}`;
    const bytes = await client.request<Uint8Array>({ method: 'GET', path, answer: 'bytes' });
    const bundle = readEntryBundle(bytes);
    if (!bundle.ok || bundle.value.length !== width) return undefined;
    for (const entry of bundle.value) {
      frontier.add(hashLeaf(entry));
      const head = { origin, size: frontier.size(), root: frontier.root() };
      read.push({ place: read.length, text: new TextDecoder().decode(entry), digest: digestOfHead(head) });
    }
  }
  return equalBytes(frontier.root(), root) ? read : undefined;
}
