/** Takes a checkpoint as a witness: judges it, stores it, and cosigns it, in this order. */

import { getHexBytes } from '@coinfront/protocol/bytes.ts';
import {
  type Checkpoint,
  findOriginKey,
  openCheckpoint,
  parseHeadText,
  writeHeadText,
} from '@coinfront/protocol/signed-log/checkpoint.ts';
import { cosign, witnessName } from '@coinfront/protocol/signed-log/cosignature.ts';
import { parseNote } from '@coinfront/protocol/signed-log/note.ts';
import { parseWitnessRequest } from '@coinfront/protocol/signed-log/witness-request.ts';
import type { Precious } from '../../db/precious.ts';
import type { SignedLog } from '../append-entries.ts';
import type { SignedLogTables } from '../log-tables.ts';
import { insertRefusal } from './refusal-store.ts';
import { judgeHead } from './witness-rules.ts';
import { findWitnessedLog, replaceHead, type WitnessedLog } from './witness-store.ts';

/** The key that a witness signs by. */
export type WitnessSigner = Pick<SignedLog, 'publicKey' | 'sign'>;

export type Witness = {
  precious: Precious;
  signer: WitnessSigner;
  /** Unix milliseconds. */
  now: () => number;
};

/** What is answered: by C2SP `tlog-witness`. */
export type WitnessAnswer = { status: 200 | 400 | 403 | 404 | 409 | 422; text: string };

const refusals = {
  400: 'The request is none that add-checkpoint takes.',
  403: 'The log has not signed the checkpoint.',
  404: 'This witness does not know the log.',
  422: 'The checkpoint does not go on from the one that was cosigned before.',
} as const;

/** Answers the body of a request; whatever it is, nothing throws but the database. */
export async function answerAddCheckpoint(witness: Witness, body: string): Promise<WitnessAnswer> {
  const request = parseWitnessRequest(body);
  const note = request.ok ? parseNote(request.value.note) : request;
  const head = note.ok ? parseHeadText(note.value.text) : note;
  if (!request.ok || !note.ok || !head.ok) return refuse(400);
  // Lines after the third would be signed, too. Logs of services of the coin have none, and no others are known here.
  if (writeHeadText(head.value) !== note.value.text) return refuse(400);
  const { origin } = head.value;
  const kept = await findWitnessedLog(witness.precious.query<SignedLogTables>(), origin);
  const publicKey = findOriginKey(origin);
  if (kept === undefined || publicKey === undefined) return refuse(404);
  const opened = openCheckpoint(request.value.note, { origin, publicKey });
  if (!opened.ok) return refuse(403);
  return await addCheckpoint(witness, kept, opened.checkpoint, request.value);
}

/** Judges a checkpoint that its log has signed against the one that is kept, and takes its place. */
export async function addCheckpoint(
  { precious, signer, now }: Witness,
  kept: WitnessedLog,
  checkpoint: Checkpoint,
  request: { oldSize: number; path: readonly Uint8Array[] },
): Promise<WitnessAnswer> {
  const db = precious.query<SignedLogTables>();
  const verdict = judgeHead(kept, checkpoint, request);
  if (verdict.kind === 'refuse') {
    if (verdict.isProof) await insertRefusal(db, kept, checkpoint, now());
    return verdict.status === 409 ? conflict(kept.size) : refuse(verdict.status);
  }
  const atSeconds = Math.floor(now() / 1000);
  const { publicKey } = signer;
  const line = cosign(
    writeHeadText(checkpoint),
    { name: witnessName(publicKey), publicKey, timeSeconds: atSeconds },
    (text) => getHexBytes(signer.sign(text)),
  );
  if (await replaceHead(db, kept, checkpoint, { line, atSeconds })) return { status: 200, text: line };
  // Another was faster; whoever asks looks what it is.
  const present = await findWitnessedLog(db, kept.origin);
  return conflict(present?.size ?? 0);
}

function refuse(status: keyof typeof refusals): WitnessAnswer {
  return { status, text: `${refusals[status]}\n` };
}

function conflict(size: number): WitnessAnswer {
  return { status: 409, text: `${size}\n` };
}
