import { concatBytes, equalBytes, startsWithBytes } from '../bytes.ts';
import { type EventPlace, eventBytes, type StateRow } from '../canonical.ts';
import { buildCarrier } from '../carrier.ts';
import { encodeLeb128 } from '../leb128.ts';
import { OP_RETURN } from '../opcodes.ts';
import type { TxOutput } from '../transaction.ts';

/** Length of the digest that is anchored: SHA-256 of a file that nobody but its owner has seen. */
export const DIGEST_BYTES = 32;

const MARKER_BYTES = 4;
const SCRIPT_BYTES = 2 + MARKER_BYTES + DIGEST_BYTES;

/** An output of a transaction that anchors a digest. */
export type Anchor = { vout: number; digest: Uint8Array };

/** Where an anchor stands in the chain. */
export type AnchorPlace = { height: number; position: number; vout: number };

/**
 * The script that anchors a digest, exactly `6a24`, the marker and the digest.
 * @throws RangeError unless the digest has 32 bytes.
 */
export function anchorScript(digest: Uint8Array, marker: Uint8Array): Uint8Array {
  if (digest.length !== DIGEST_BYTES)
    throw new RangeError(`a digest has 32 bytes, received ${digest.length}`);
  return buildCarrier(concatBytes(marker, digest));
}

/** The digest that a script anchors; undefined for every other script. */
export function findAnchoredDigest(script: Uint8Array, marker: Uint8Array): Uint8Array | undefined {
  if (script.length !== SCRIPT_BYTES || script[0] !== OP_RETURN || script[1] !== SCRIPT_BYTES - 2) {
    return undefined;
  }
  return startsWithBytes(script.subarray(2), marker) ? script.subarray(2 + MARKER_BYTES) : undefined;
}

/** All anchors of a transaction, by output. Any transaction may have them, a coinbase too. */
export function listAnchors(outputs: readonly TxOutput[], marker: Uint8Array): Anchor[] {
  const anchors: Anchor[] = [];
  for (const [vout, { script }] of outputs.entries()) {
    const digest = findAnchoredDigest(script, marker);
    if (digest !== undefined) anchors.push({ vout, digest });
  }
  return anchors;
}

/** Order of anchors in the chain; the first of a digest is its primary one. */
export function compareAnchorPlaces(a: AnchorPlace, b: AnchorPlace): number {
  return a.height - b.height || a.position - b.position || a.vout - b.vout;
}

/** How sure an anchor is. */
export type ProofState = 'mempool' | 'confirmed' | 'final';

/**
 * The state of an anchor.
 *
 * @param height - of its block; undefined while it waits in the mempool
 * @param tipHeight - of the chain that it is read in
 */
export function proofState(
  height: number | undefined,
  tipHeight: number,
  { finalConfirmations }: { finalConfirmations: number },
): ProofState {
  if (height === undefined) return 'mempool';
  return tipHeight - height + 1 >= finalConfirmations ? 'final' : 'confirmed';
}

const ANCHOR_OPCODE = 1;

/** The bytes of an anchor in events(h) (docs/protocols/hash-chain.md); a transaction has one event an anchor. */
export function encodeAnchorEvent(place: EventPlace, { vout, digest }: Anchor): Uint8Array {
  return eventBytes(place, ANCHOR_OPCODE, encodeLeb128(vout), digest);
}

/** The row of a digest in the live state: its primary anchor. */
export function digestStateRow(digest: Uint8Array, primary: AnchorPlace, txid: Uint8Array): StateRow {
  const { height, position, vout } = primary;
  const value = concatBytes(encodeLeb128(height), encodeLeb128(position), encodeLeb128(vout), txid);
  return { kind: 1, key: digest, value };
}

/** Whether an output of a transaction anchors exactly this digest. */
export function isAnchorOf(script: Uint8Array, marker: Uint8Array, digest: Uint8Array): boolean {
  const found = findAnchoredDigest(script, marker);
  return found !== undefined && equalBytes(found, digest);
}
