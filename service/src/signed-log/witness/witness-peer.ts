import { LogGrowthView } from '@coinfront/api/signed-log.ts';
import { parseHex } from '@coinfront/protocol/bytes.ts';
import {
  type Checkpoint,
  findOriginKey,
  openCheckpoint,
  parseHeadText,
} from '@coinfront/protocol/signed-log/checkpoint.ts';
import { parseNote } from '@coinfront/protocol/signed-log/note.ts';
import { Check } from 'typebox/value';
import type { SignedLogTables } from '../log-tables.ts';
import { addCheckpoint } from './add-checkpoint.ts';
import type { FollowWitnessesOptions } from './follow-peers.ts';
import { insertRefusal, type RefusalReason, takeUpLog, type WitnessedLog } from './witness-store.ts';

const LOG_PATH = '/api/nodeproof/log';

export type PeerContext = FollowWitnessesOptions & { peer: string };

/**
 * Looks at the newest checkpoint of a peer's log, and cosigns it if it goes on from the one before. What does not is kept.
 *
 * @returns the key of the peer; undefined while it has no log
 */
export async function witnessPeer(context: PeerContext): Promise<string | undefined> {
  const { peer, client, precious } = context;
  const { status, text } = await client.get(`${peer}${LOG_PATH}/checkpoint`);
  // No log yet, or none any more: a log that was there is missed by whoever kept its checkpoint.
  if (status === 404) return undefined;
  const checkpoint = status === 200 ? openSelfNamed(text) : undefined;
  if (checkpoint === undefined) throw new Error('the peer shows no signed checkpoint');
  const db = precious.query<SignedLogTables>();
  const kept = await takeUpLog(db, peer, checkpoint.origin);
  if (kept.origin !== checkpoint.origin) {
    await refuse(context, kept, checkpoint, 'other_key');
    return undefined;
  }
  const key = findOriginKey(checkpoint.origin);
  if (checkpoint.size < kept.size) await refuse(context, kept, checkpoint, 'shorter');
  else await witnessNewer(context, kept, checkpoint);
  return key;
}

async function witnessNewer(context: PeerContext, kept: WitnessedLog, checkpoint: Checkpoint): Promise<void> {
  const isSameSize = checkpoint.size === kept.size;
  const path =
    isSameSize || kept.size === 0 ? [] : await fetchPath(context, { from: kept.size, to: checkpoint.size });
  const { status } = await addCheckpoint(context, kept, checkpoint, { oldSize: kept.size, path });
  if (status === 422) await refuse(context, kept, checkpoint, isSameSize ? 'other_root' : 'not_consistent');
}

/** The log itself was asked for the proof: that it has none speaks against it. */
async function refuse(
  { precious, now, onAlarm, peer }: PeerContext,
  kept: WitnessedLog,
  checkpoint: Checkpoint,
  reason: RefusalReason,
): Promise<void> {
  const refused = { checkpoint, reason, keptNote: kept.note };
  await insertRefusal(precious.query<SignedLogTables>(), kept.origin, refused, now());
  onAlarm(
    `The log of ${peer} was changed (${reason}): it signed ${checkpoint.size} entries that do not go on from ${kept.size} that were cosigned.`,
  );
}

/** A checkpoint that is signed by the key in its own origin. */
function openSelfNamed(note: string): Checkpoint | undefined {
  const parsed = parseNote(note);
  const head = parsed.ok ? parseHeadText(parsed.value.text) : parsed;
  const publicKey = head.ok ? findOriginKey(head.value.origin) : undefined;
  if (!head.ok || publicKey === undefined) return undefined;
  const opened = openCheckpoint(note, { origin: head.value.origin, publicKey });
  return opened.ok ? opened.checkpoint : undefined;
}

async function fetchPath(
  { client, peer }: PeerContext,
  { from, to }: { from: number; to: number },
): Promise<Uint8Array[]> {
  const { status, text } = await client.get(`${peer}${LOG_PATH}/consistency?from=${from}&to=${to}`);
  if (status !== 200) throw new Error(`the peer answers ${status}`);
  const json: unknown = JSON.parse(text);
  if (!Check(LogGrowthView, json)) throw new Error('the peer answers in another form');
  const hashes = json.path.map(parseHex);
  return hashes.every((hash) => hash.ok) ? hashes.map(({ value }) => value) : [];
}
