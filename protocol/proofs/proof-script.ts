import { concatBytes, equalBytes } from '../bytes.ts';
export function buildProofScript(digest: Uint8Array, marker: Uint8Array): Uint8Array {
  return concatBytes(Uint8Array.of(0x6a, 0x24), marker, digest);
}
export function readProofDigest(script: Uint8Array, marker: Uint8Array): Uint8Array | undefined {
  if (script.length !== 38 || script[0] !== 0x6a || script[1] !== 0x24) return undefined;
  return equalBytes(script.subarray(2, 6), marker) ? script.slice(6) : undefined;
}
