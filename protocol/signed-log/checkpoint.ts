/** Checkpoints (C2SP `tlog-checkpoint`): the head of a log as a note that the log has signed. */

import { base64 } from '@scure/base';
import { bytesToHex } from '../bytes.ts';
import { sha256 } from '../hash.ts';
import { verifyEd25519 } from '../registry/node-key.ts';
import { fail, ok, type Result } from '../result.ts';
import {
  decodeBase64,
  type Note,
  type NoteKey,
  noteKeyId,
  parseNote,
  signaturesOf,
  writeNote,
  writeSignatureLine,
} from './note.ts';

/** The head of a log. */
export type TreeHead = {
  /** Names the log. */
  origin: string;
  /** Entries. */
  size: number;
  /** Of the tree of all of them. */
  root: Uint8Array;
};

/** A head that its log has signed, with the note that says so. */
export type Checkpoint = TreeHead & { note: string };

const MAX_ORIGIN = 512;
const encoder = new TextEncoder();

/** What a log of a service is of. */
export const logKinds = ['node-registry', 'treasury-ledger'] as const;
export type LogKind = (typeof logKinds)[number];

/**
 * The origin of a log by its kind and the key that signs it. So whoever has the key knows the origin, and nobody else can sign for
 * it; a log under another key is another log.
 */
export function logOrigin(kind: LogKind, publicKey: string): string {
  return `${kind}/${publicKey}`;
}

/** The key of the log with an origin of {@link logOrigin}; undefined for others. */
export function findOriginKey(origin: string): string | undefined {
  return /^(?:node-registry|treasury-ledger)\/([0-9a-f]{64})$/.exec(origin)?.[1];
}

/** The text of a head, which is signed. */
export function writeHeadText({ origin, size, root }: TreeHead): string {
  return `${origin}\n${size}\n${base64.encode(root)}\n`;
}

/** Reads the text of a head; lines after the third say nothing of the log. */
export function parseHeadText(text: string): Result<TreeHead> {
  const [origin = '', sizeText = '', rootText = '', ...more] = text.split('\n');
  const size = /^(?:0|[1-9][0-9]{0,15})$/.test(sizeText) ? Number(sizeText) : Number.NaN;
  const root = decodeBase64(rootText);
  const isWhole = more.length > 0 && more.at(-1) === '' && more.slice(0, -1).every((line) => line !== '');
  if (origin === '' || origin.length > MAX_ORIGIN || !isWhole)
    return fail('a checkpoint has an origin, a size and a root, a line each');
  if (!Number.isSafeInteger(size)) return fail('the size is no whole number');
  if (root === undefined || root.length !== 32) return fail('the root is no base64 of 32 bytes');
  return ok({ origin, size, root });
}

/** The digest, hex, by which a head is anchored in the chain: SHA-256 of its text, without signatures. */
export function digestOfHead(head: TreeHead): string {
  return bytesToHex(sha256(encoder.encode(writeHeadText(head))));
}

/** The key that signs the checkpoints of a log: its name is the origin. */
export function logKey(origin: string, publicKey: string): NoteKey {
  return { name: origin, type: 'ed25519', publicKey };
}

/**
 * Signs the head of a log.
 *
 * @param sign - the Ed25519 signature of a text as UTF-8
 */
export function signCheckpoint(
  head: TreeHead,
  publicKey: string,
  sign: (text: string) => Uint8Array,
): Checkpoint {
  const text = writeHeadText(head);
  const keyId = noteKeyId(logKey(head.origin, publicKey));
  const line = writeSignatureLine({ name: head.origin, keyId, signature: sign(text) });
  return { ...head, note: writeNote(text, [line]) };
}

/** Why a checkpoint is none of a log. */
export type CheckpointFault = 'malformed' | 'other_log' | 'signature_invalid';

/** A checkpoint that was opened, with its note. */
export type OpenedCheckpoint = { ok: true; checkpoint: Checkpoint; signatures: Note['signatures'] };

/** Reads a checkpoint of a log, and verifies that the log has signed it. It may come from anybody; nothing throws. */
export function openCheckpoint(
  note: string,
  { origin, publicKey }: { origin: string; publicKey: string },
): OpenedCheckpoint | { ok: false; fault: CheckpointFault } {
  const parsed = parseNote(note);
  const head = parsed.ok ? parseHeadText(parsed.value.text) : parsed;
  if (!parsed.ok || !head.ok) return { ok: false, fault: 'malformed' };
  if (head.value.origin !== origin) return { ok: false, fault: 'other_log' };
  const { text, signatures } = parsed.value;
  const ofLog = signaturesOf(signatures, logKey(origin, publicKey));
  const isSigned =
    ofLog.length > 0 && ofLog.every(({ signature }) => verifyEd25519(publicKey, text, bytesToHex(signature)));
  if (!isSigned) return { ok: false, fault: 'signature_invalid' };
  return { ok: true, checkpoint: { ...head.value, note }, signatures };
}
