/** Signed notes (C2SP `signed-note`): a text with signature lines below it, each by a key that has a name and a short id. */

import { base64 } from '@scure/base';
import { bytesToHex, concatBytes, getHexBytes } from '../bytes.ts';
import { sha256 } from '../hash.ts';
import { fail, ok, type Result } from '../result.ts';

/** Kinds of signatures that are used here: of a note's text, and of a checkpoint by a witness (`tlog-cosignature`). */
export const SIGNATURE_TYPES = { ed25519: 1, cosignature: 4 } as const;
export type SignatureType = keyof typeof SIGNATURE_TYPES;

/** A key that signs notes. */
export type NoteKey = {
  name: string;
  type: SignatureType;
  /** Ed25519, hex. */
  publicKey: string;
};

/** A signature line. */
export type NoteSignature = { name: string; keyId: string; signature: Uint8Array };

/** A note as it is read; nothing of it is verified. */
export type Note = { text: string; signatures: readonly NoteSignature[] };

/** Characters of a note, and its signature lines, that are read. */
const MAX_NOTE = 131_072;
const MAX_SIGNATURES = 64;
const KEY_ID_BYTES = 4;
const LINE_START = '\u2014 ';
/** No spaces of Unicode, no control characters, no plus. */
const NAME = /^[^\s+\p{Cc}\p{Z}]{1,512}$/u;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a note must not have
const CONTROL = /[\u0000-\u0009\u000b-\u001f]/;

const encoder = new TextEncoder();

/** The id of a key, 8 hex digits: it tells keys of one name apart. */
export function noteKeyId({ name, type, publicKey }: NoteKey): string {
  const about = concatBytes(
    encoder.encode(`${name}\n`),
    Uint8Array.of(SIGNATURE_TYPES[type]),
    getHexBytes(publicKey),
  );
  return bytesToHex(sha256(about).subarray(0, KEY_ID_BYTES));
}

/** A key as people hand it on: `name+id+key`. */
export function writeVerifierKey(key: NoteKey): string {
  const material = concatBytes(Uint8Array.of(SIGNATURE_TYPES[key.type]), getHexBytes(key.publicKey));
  return `${key.name}+${noteKeyId(key)}+${base64.encode(material)}`;
}

/** Reads such a key. */
export function parseVerifierKey(text: string): Result<NoteKey> {
  const match = /^([^+]{1,512})\+([0-9a-f]{8})\+([A-Za-z0-9+/]{44})$/.exec(text);
  const material = match && decodeBase64(match[3]!);
  if (!match || !material || material.length !== 33 || !NAME.test(match[1]!))
    return fail('a verifier key is a name, 8 hex digits and the base64 of 33 bytes, with plus signs between');
  const type = (Object.keys(SIGNATURE_TYPES) as SignatureType[]).find(
    (each) => SIGNATURE_TYPES[each] === material[0],
  );
  if (type === undefined) return fail(`signatures of type ${material[0]} are not known`);
  const key: NoteKey = { name: match[1]!, type, publicKey: bytesToHex(material.subarray(1)) };
  return noteKeyId(key) === match[2] ? ok(key) : fail('its id is not that of its name and key');
}

/** A signature line, with the line feed at its end. */
export function writeSignatureLine({ name, keyId, signature }: NoteSignature): string {
  return `${LINE_START}${name} ${base64.encode(concatBytes(getHexBytes(keyId), signature))}\n`;
}

/** A note: its text, which ends with a line feed, and signature lines. */
export function writeNote(text: string, lines: readonly string[]): string {
  return `${text}\n${lines.join('')}`;
}

/** Reads a note; whose signatures are good is not said. */
export function parseNote(given: string): Result<Note> {
  if (given.length > MAX_NOTE) return fail(`a note has ${MAX_NOTE} characters at most`);
  if (!given.isWellFormed() || CONTROL.test(given)) return fail('a note has no control characters');
  const end = given.lastIndexOf('\n\n');
  if (end <= 0 || !given.endsWith('\n')) return fail('a note has an empty line, and signatures below it');
  const signatures = parseSignatureLines(given.slice(end + 2));
  return signatures.ok ? ok({ text: given.slice(0, end + 1), signatures: signatures.value }) : signatures;
}

/** Reads lines of signatures, one at least. */
export function parseSignatureLines(given: string): Result<NoteSignature[]> {
  if (!given.endsWith('\n')) return fail('a signature line ends with a line feed');
  const lines = given.slice(0, -1).split('\n', MAX_SIGNATURES + 1);
  if (lines.length > MAX_SIGNATURES) return fail(`there are ${MAX_SIGNATURES} signatures at most`);
  const signatures: NoteSignature[] = [];
  for (const line of lines) {
    const [name = '', encoded = '', ...more] = line.slice(LINE_START.length).split(' ');
    const bytes = decodeBase64(encoded);
    const isGood = line.startsWith(LINE_START) && NAME.test(name) && more.length === 0;
    if (!isGood || bytes === undefined || bytes.length <= KEY_ID_BYTES)
      return fail('a signature line is an em dash, a name, and base64 of an id and a signature');
    signatures.push({
      name,
      keyId: bytesToHex(bytes.subarray(0, KEY_ID_BYTES)),
      signature: bytes.subarray(KEY_ID_BYTES),
    });
  }
  return ok(signatures);
}

/** The signatures that claim to be of a key. */
export function signaturesOf(signatures: readonly NoteSignature[], key: NoteKey): NoteSignature[] {
  const keyId = noteKeyId(key);
  return signatures.filter((each) => each.name === key.name && each.keyId === keyId);
}

/** Bytes of standard base64 in its one spelling. */
export function decodeBase64(text: string): Uint8Array | undefined {
  try {
    return base64.decode(text);
  } catch {
    return undefined;
  }
}
