import { bytesToHex, startsWithBytes } from '@coinfront/protocol/bytes.ts';
import { readCarrier } from '@coinfront/protocol/carrier.ts';
import {
  decodeNameOperation,
  LATER_KINDS,
  type NameOperation,
} from '@coinfront/protocol/names/name-operation.ts';
import { findAnchoredDigest } from '@coinfront/protocol/proofs/anchor.ts';
import { decodeTokenOperation, type TokenOperation } from '@coinfront/protocol/tokens/token-operation.ts';
import { MARKERS } from './markers.ts';

/** What a data carrier says, read from its bytes alone. `unknown` is another protocol's, or malformed. */
export type PayloadDescription =
  | { protocol: 'proof'; digest: string }
  | { protocol: 'name'; operation: NameOperation }
  | { protocol: 'token'; operation: TokenOperation }
  | { protocol: 'treasury'; tag: string }
  | { protocol: 'unknown'; payload: string };

const TREASURY_BYTES = 20;

/** Reads the payload of a script; undefined when it is no data carrier. */
export function describePayload(script: Uint8Array): PayloadDescription | undefined {
  const payload = readCarrier(script);
  if (payload === undefined) return undefined;
  const digest = findAnchoredDigest(script, MARKERS.proof);
  if (digest !== undefined) return { protocol: 'proof', digest: bytesToHex(digest) };
  if (startsWithBytes(payload, MARKERS.name)) {
    const decoded = decodeNameOperation(payload, LATER_KINDS);
    if (decoded.ok) return { protocol: 'name', operation: decoded.operation };
  }
  if (startsWithBytes(payload, MARKERS.token)) {
    const decoded = decodeTokenOperation(payload);
    if (decoded.ok) return { protocol: 'token', operation: decoded.operation };
  }
  if (startsWithBytes(payload, MARKERS.treasury) && payload.length === TREASURY_BYTES) {
    return { protocol: 'treasury', tag: bytesToHex(payload.subarray(4)) };
  }
  return { protocol: 'unknown', payload: bytesToHex(payload) };
}
