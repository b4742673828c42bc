import {
  type Checkpoint,
  findOriginKey,
  type LogKind,
  logOrigin,
  openCheckpoint,
  parseHeadText,
} from '@coinfront/protocol/signed-log/checkpoint.ts';
import { parseNote } from '@coinfront/protocol/signed-log/note.ts';
import type { SignedLogTables } from '../log-tables.ts';
import { addCheckpoint } from './add-checkpoint.ts';
import { fetchPath } from './fetch-path.ts';
import type { FollowWitnessesOptions } from './follow-peers.ts';
import { keepProof, keepUnproven } from './keep-refused.ts';
import type { PeerDoubts, PendingHead } from './peer-doubts.ts';
import { describeLog, type PeerLog, peerLog, urlOfLog } from './peer-log.ts';
import { areOfOneLog, lookAtPending } from './pending-head.ts';
import { hasOtherRoot } from './witness-rules.ts';
import { adoptLog, findLogOfPeer, takeUpLog, type WitnessedLog } from './witness-store.ts';

export type PeerContext = FollowWitnessesOptions & {
  /** The log that is looked at. */
  log: PeerLog;
  /** Of it, and of what the peer says of the log of this kind that this service has. */
  doubts: PeerDoubts;
  ownDoubts: PeerDoubts;
};

/**
 * Looks at the newest checkpoint of a peer's log, and cosigns it if it goes on from the one before. What does not is kept, and told: at once
 * where it can be nothing else, and otherwise when the next polls find it, too.
 *
 * @returns the key of the peer; undefined while it has no such log of its own
 */
export async function witnessLog(context: PeerContext): Promise<string | undefined> {
  const { log, peers, client, precious, doubts } = context;
  const { kind, name } = log;
  const db = precious.query<SignedLogTables>();
  const { status, text } = await client.get(`${urlOfLog(log)}/checkpoint`);
  if (status === 404) return await missLog(context);
  const checkpoint = status === 200 ? openSelfNamed(text, kind) : undefined;
  if (checkpoint === undefined) {
    if (status === 200 && doubts.persists('unsigned'))
      doubts.alarm('unsigned', `What is shown as ${describeLog(name)} is signed by no key of such a log.`);
    throw new Error('the peer shows no signed checkpoint');
  }
  const found = await takeUpLog(db, name, checkpoint.origin);
  const isOfPeer = peers.some((peer) => peerLog(kind, peer).name === found.peer);
  // A service that moved, where the operator named its new address only.
  const kept = found.peer === name || isOfPeer ? found : await adoptLog(db, found, name);
  if (kept.peer !== name) return await lookAtReplay(context, kept, checkpoint);
  if (kept.origin !== checkpoint.origin) {
    await keepUnproven(context, kept, checkpoint, 'other_key');
    return undefined;
  }
  await lookAtPending(context, kept);
  await judge(context, kept, checkpoint);
  return findOriginKey(checkpoint.origin);
}

async function judge(context: PeerContext, kept: WitnessedLog, checkpoint: Checkpoint): Promise<void> {
  const { log, client, doubts } = context;
  if (checkpoint.size < kept.size) {
    // Whatever lies between may answer what was; and a request may have brought a newer one meanwhile.
    if (!(await areOfOneLog(context, kept, checkpoint))) suspend(doubts, checkpoint, 'shorter');
    return;
  }
  if (kept.size > 0 && hasOtherRoot(kept, checkpoint)) return await keepProof(context, kept, checkpoint);
  const sizes = { from: kept.size, to: checkpoint.size };
  const isGrown = kept.size > 0 && checkpoint.size > kept.size;
  const fetched = isGrown ? await fetchPath(client, log, sizes) : { kind: 'path' as const, path: [] };
  if (fetched.kind === 'missing') return suspend(doubts, checkpoint, 'no_proof');
  if (fetched.kind === 'refused') return await keepUnproven(context, kept, checkpoint, 'no_proof');
  const request = { oldSize: kept.size, path: fetched.path };
  const { status } = await addCheckpoint(context, kept, checkpoint, request);
  if (status === 422) await keepUnproven(context, kept, checkpoint, 'not_consistent');
  if (status === 200 && doubts.pending === undefined) doubts.settle();
}

/** Waits for a proof of the first head that has none. */
function suspend(doubts: PeerDoubts, checkpoint: Checkpoint, reason: PendingHead['reason']): void {
  doubts.pending ??= { checkpoint, reason, polls: 1 };
}

/** A log that was there is missed; one that never was is awaited. */
async function missLog({ precious, log, doubts }: PeerContext): Promise<undefined> {
  const kept = await findLogOfPeer(precious.query<SignedLogTables>(), log.name);
  if (kept !== undefined && kept.size > 0 && doubts.persists('gone'))
    doubts.alarm(
      'gone',
      `There is nothing any more of ${describeLog(log.name)}: it had ${kept.size} entries that were cosigned.`,
    );
  return undefined;
}

/**
 * The peer shows a log that is known as another peer's: one of them is not its service, and which one is not known here. It is witnessed
 * whoever shows it, as long as it goes on; what does not says nothing of either, unless both heads are signed and cannot both be.
 */
async function lookAtReplay(
  context: PeerContext,
  kept: WitnessedLog,
  checkpoint: Checkpoint,
): Promise<string | undefined> {
  const { log, client, doubts } = context;
  doubts.alarm('same_log', `${log.peer} shows ${describeLog(kept.peer)}: it is witnessed, whoever shows it.`);
  if (kept.size > 0 && hasOtherRoot(kept, checkpoint)) {
    await keepProof(context, kept, checkpoint);
    return undefined;
  }
  if (checkpoint.size > kept.size) {
    const fetched = await fetchPath(client, log, { from: kept.size, to: checkpoint.size });
    if (fetched.kind === 'path')
      await addCheckpoint(context, kept, checkpoint, { oldSize: kept.size, path: fetched.path });
  }
  return findOriginKey(checkpoint.origin);
}

/** A checkpoint of a log of this kind that is signed by the key in its own origin. */
function openSelfNamed(note: string, kind: LogKind): Checkpoint | undefined {
  const parsed = parseNote(note);
  const head = parsed.ok ? parseHeadText(parsed.value.text) : parsed;
  const publicKey = head.ok ? findOriginKey(head.value.origin) : undefined;
  if (!head.ok || publicKey === undefined || head.value.origin !== logOrigin(kind, publicKey))
    return undefined;
  const opened = openCheckpoint(note, { origin: head.value.origin, publicKey });
  return opened.ok ? opened.checkpoint : undefined;
}
