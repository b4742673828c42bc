import { bytesToHex, concatBytes } from '../bytes.ts';
import { buildCarrier, findPayload } from '../carrier.ts';
import type { TxOutput } from '../transaction.ts';

/** Length of the tag that names a contribution intent: random, given once. */
export const TAG_BYTES = 16;

const MARKER_BYTES = 4;

/** What the outputs of a transaction say of the intent that it is for. `tag` is lower case hex. */
export type FoundTag =
  | { kind: 'none' }
  | { kind: 'one'; vout: number; tag: string }
  /** Two or more outputs begin with the marker: the transaction names no intent. */
  | { kind: 'several' }
  /** One does, and what follows is no tag. */
  | { kind: 'malformed' };

/**
 * The data-carrier script of a tag (docs/protocols/treasury.md): exactly `6a14`, the marker and the tag.
 * @throws RangeError unless the tag has 16 bytes.
 */
export function contributionScript(tag: Uint8Array, marker: Uint8Array): Uint8Array {
  return buildCarrier(contributionPayload(tag, marker));
}

/**
 * What the script pushes, for wallets that build data carriers themselves.
 * @throws RangeError unless the tag has 16 bytes.
 */
export function contributionPayload(tag: Uint8Array, marker: Uint8Array): Uint8Array {
  if (tag.length !== TAG_BYTES) throw new RangeError(`a tag has ${TAG_BYTES} bytes, received ${tag.length}`);
  return concatBytes(marker, tag);
}

/** Looks for the tag of a transaction; its place among the outputs does not matter, nor does its value. */
export function findContributionTag(outputs: readonly TxOutput[], marker: Uint8Array): FoundTag {
  const found = findPayload(outputs, marker);
  if (found.kind !== 'one') return { kind: found.kind };
  const { vout, payload } = found;
  if (payload.length !== MARKER_BYTES + TAG_BYTES) return { kind: 'malformed' };
  return { kind: 'one', vout, tag: bytesToHex(payload.subarray(MARKER_BYTES)) };
}
