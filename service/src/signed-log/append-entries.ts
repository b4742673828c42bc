/** Appends to a signed log, and signs what it then is. */

import { equalBytes, getHexBytes } from '@coinfront/protocol/bytes.ts';
import {
  type Checkpoint,
  openCheckpoint,
  signCheckpoint,
} from '@coinfront/protocol/signed-log/checkpoint.ts';
import { hashLeaf, rootOfLeaves } from '@coinfront/protocol/signed-log/merkle-tree.ts';
import { hashesAtLevel, TILE_WIDTH } from '@coinfront/protocol/signed-log/tiles.ts';
import {
  findHead,
  findRangeRoot,
  insertEntries,
  insertHead,
  insertTreeHashes,
  LogBrokenError,
  listTreeHashes,
} from './log-store.ts';
import type { SignedLogQuery } from './log-tables.ts';

/** A log that this service keeps, and the key that it signs by. */
export type SignedLog = {
  origin: string;
  /** Hex. */
  publicKey: string;
  /** The Ed25519 signature, hex, of a text as UTF-8. */
  sign(text: string): string;
};

const encoder = new TextEncoder();

/**
 * Appends entries in a transaction that writes what they say, too, and signs the new checkpoint. The caller holds the lock of the log
 * until the transaction ends.
 *
 * @throws LogBrokenError when what is stored has another root than was signed before
 */
export async function appendEntries(
  trx: SignedLogQuery,
  log: SignedLog,
  entries: readonly string[],
  nowMs: number,
): Promise<Checkpoint> {
  const { origin } = log;
  const size = (await checkHead(trx, log))?.size ?? 0;
  await insertEntries(trx, origin, size, entries);
  let added = entries.map((entry) => hashLeaf(encoder.encode(entry)));
  for (let level = 0; added.length > 0; level++) {
    await insertTreeHashes(trx, origin, level, hashesAtLevel(size, level), added);
    added = await completeTiles(trx, origin, level, size, size + entries.length);
  }
  const newSize = size + entries.length;
  const root = await findRangeRoot(trx, origin, { from: 0, to: newSize });
  const checkpoint = signCheckpoint({ origin, size: newSize, root }, log.publicKey, (text) =>
    getHexBytes(log.sign(text)),
  );
  await insertHead(trx, checkpoint, nowMs);
  return checkpoint;
}

/** The roots of the tiles of a level that became whole. */
async function completeTiles(
  trx: SignedLogQuery,
  origin: string,
  level: number,
  oldSize: number,
  newSize: number,
): Promise<Uint8Array[]> {
  const roots: Uint8Array[] = [];
  const last = hashesAtLevel(newSize, level + 1);
  for (let tile = hashesAtLevel(oldSize, level + 1); tile < last; tile++) {
    const place = { level, from: tile * TILE_WIDTH, count: TILE_WIDTH };
    roots.push(rootOfLeaves(await listTreeHashes(trx, origin, place)));
  }
  return roots;
}

/**
 * The newest checkpoint of a log, after a look at whether what is stored has its root, and whether the log has signed it.
 *
 * @throws LogBrokenError
 */
export async function checkHead(
  db: SignedLogQuery,
  { origin, publicKey }: Pick<SignedLog, 'origin' | 'publicKey'>,
): Promise<Checkpoint | undefined> {
  const head = await findHead(db, origin);
  if (head === undefined) return undefined;
  const opened = openCheckpoint(head.note, { origin, publicKey });
  if (!opened.ok || opened.checkpoint.size !== head.size)
    throw new LogBrokenError(`The newest checkpoint of the log ${origin} is not signed by its key.`);
  const root = await findRangeRoot(db, origin, { from: 0, to: head.size });
  if (!equalBytes(opened.checkpoint.root, root))
    throw new LogBrokenError(
      `The log ${origin} has another root than it signed for ${head.size} entries: it was changed. Nothing more is signed.`,
    );
  return opened.checkpoint;
}
