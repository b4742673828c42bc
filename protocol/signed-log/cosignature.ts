/** Cosignatures (C2SP `tlog-cosignature`, Ed25519): a witness says that a checkpoint goes on from all that it saw of the log before. */

import { bytesToHex, concatBytes } from '../bytes.ts';
import { verifyEd25519 } from '../registry/node-key.ts';
import { type NoteKey, type NoteSignature, noteKeyId, signaturesOf, writeSignatureLine } from './note.ts';

const TIME_BYTES = 8;
const SIGNATURE_BYTES = 64;

/** The key of a witness. */
export function witnessKey(name: string, publicKey: string): NoteKey {
  return { name, type: 'cosignature', publicKey };
}

/** The name of the witness that a service of a coin is. */
export function witnessName(publicKey: string): string {
  return `witness/${publicKey}`;
}

/** What a witness signs: when, and the text of the checkpoint. */
export function writeCosignedText(text: string, timeSeconds: number): string {
  return `cosignature/v1\ntime ${timeSeconds}\n${text}`;
}

/** The signature line of a witness. */
export function cosign(
  text: string,
  { name, publicKey, timeSeconds }: { name: string; publicKey: string; timeSeconds: number },
  sign: (text: string) => Uint8Array,
): string {
  const time = new Uint8Array(TIME_BYTES);
  new DataView(time.buffer).setBigUint64(0, BigInt(timeSeconds));
  const signature = concatBytes(time, sign(writeCosignedText(text, timeSeconds)));
  return writeSignatureLine({ name, keyId: noteKeyId(witnessKey(name, publicKey)), signature });
}

/**
 * When a witness has cosigned a checkpoint, Unix seconds.
 *
 * @param text - of the checkpoint
 * @returns undefined where none of the signatures is a good one of the witness
 */
export function findCosignature(
  text: string,
  signatures: readonly NoteSignature[],
  { name, publicKey }: { name: string; publicKey: string },
): number | undefined {
  for (const { signature } of signaturesOf(signatures, witnessKey(name, publicKey))) {
    if (signature.length !== TIME_BYTES + SIGNATURE_BYTES) continue;
    const time = Number(new DataView(signature.buffer, signature.byteOffset).getBigUint64(0));
    const signed = bytesToHex(signature.subarray(TIME_BYTES));
    if (Number.isSafeInteger(time) && verifyEd25519(publicKey, writeCosignedText(text, time), signed))
      return time;
  }
  return undefined;
}
