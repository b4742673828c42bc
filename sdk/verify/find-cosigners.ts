import { findCosignature, witnessName } from '@coinfront/protocol/signed-log/cosignature.ts';
import { parseNote, parseVerifierKey } from '@coinfront/protocol/signed-log/note.ts';

/** A witness that has cosigned a checkpoint. */
export type Cosigner = {
  /** Ed25519, hex. */
  key: string;
  /** Unix seconds. */
  time: number;
};

/**
 * Which of the witnesses that you trust have cosigned a checkpoint: each has seen no other log of this origin. Ask for those of others
 * than the operator.
 *
 * @param witnesses - keys of the registries of other services, hex, and verifier keys of other witnesses (C2SP `signed-note`:
 *   `name+id+key`)
 * @throws TypeError for a text that is neither
 * @example
 * const cosigners = findCosigners(await getLogCheckpoint(client), [keyOfAnother]);
 */
export function findCosigners(checkpoint: string, witnesses: readonly string[]): Cosigner[] {
  const keys = witnesses.map(readWitness);
  const note = parseNote(checkpoint);
  if (!note.ok) return [];
  const { text, signatures } = note.value;
  return keys.flatMap((key) => {
    const time = findCosignature(text, signatures, key);
    return time === undefined ? [] : [{ key: key.publicKey, time }];
  });
}

function readWitness(given: string): { name: string; publicKey: string } {
  if (/^[0-9a-f]{64}$/.test(given)) return { name: witnessName(given), publicKey: given };
  const key = parseVerifierKey(given);
  if (key.ok && key.value.type === 'cosignature') return key.value;
  throw new TypeError(
    `"${given.slice(0, 600)}" is no witness: give the key of a registry, 64 hex digits, or a verifier key of a witness, name+id+key.`,
  );
}
