import { concatBytes, equalBytes } from '../bytes.ts';
import { OP_RETURN } from '../opcodes.ts';

const DIGEST_BYTES = 32;
const MARKER_BYTES = 4;
const PAYLOAD_BYTES = MARKER_BYTES + DIGEST_BYTES;
/** The carrier and the push of the whole payload: the only form that counts. */
const HEAD = Uint8Array.of(OP_RETURN, PAYLOAD_BYTES);

/** The script that anchors a SHA-256 digest: 38 bytes, `6a24`, the marker of the profile, the digest. */
export function buildProofScript(digest: Uint8Array, marker: Uint8Array): Uint8Array {
  if (digest.length !== DIGEST_BYTES) throw new RangeError(`a digest has 32 bytes, not ${digest.length}`);
  return concatBytes(HEAD, marker, digest);
}

/** The digest that a script anchors; undefined for any script of another form. */
export function readProofDigest(script: Uint8Array, marker: Uint8Array): Uint8Array | undefined {
  if (script.length !== HEAD.length + PAYLOAD_BYTES) return undefined;
  const digestStart = HEAD.length + MARKER_BYTES;
  const isProof =
    equalBytes(script.subarray(0, HEAD.length), HEAD) &&
    equalBytes(script.subarray(HEAD.length, digestStart), marker);
  return isProof ? script.slice(digestStart) : undefined;
}
