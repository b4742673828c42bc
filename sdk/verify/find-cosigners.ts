import { findCosignature, witnessName } from '@coinfront/protocol/signed-log/cosignature.ts';
import { parseNote } from '@coinfront/protocol/signed-log/note.ts';

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
 * @param witnessKeys - keys of the registries of other services, hex
 * @example
 * const cosigners = findCosigners(await getLogCheckpoint(client), [keyOfAnother]);
 */
export function findCosigners(checkpoint: string, witnessKeys: readonly string[]): Cosigner[] {
  const note = parseNote(checkpoint);
  if (!note.ok) return [];
  const { text, signatures } = note.value;
  return witnessKeys.flatMap((key) => {
    const time = findCosignature(text, signatures, { name: witnessName(key), publicKey: key });
    return time === undefined ? [] : [{ key, time }];
  });
}
