import { bytesToHex, getHexBytes, parseDisplayHash, toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { verifyLeaf } from '@coinfront/protocol/proofs/verify-leaf.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import type { ServiceAnswer } from '../harness/service.ts';

export const MARKER = '56504631';

/** Checks a leaf with nothing but its answer: the hash of the block that has it; a text that says why not. */
export function verifyOffline(digest: string, { leaf, primary }: ServiceAnswer['json']): string {
  const verdict = verifyLeaf(
    getHexBytes(digest),
    {
      index: leaf.index,
      size: leaf.size,
      path: leaf.path.map(getHexBytes),
      root: getHexBytes(leaf.root),
    },
    {
      rawTx: getHexBytes(primary.tx),
      vout: primary.vout,
      position: primary.position,
      branch: primary.branch.map((hash: string) => getValue(parseDisplayHash(hash))),
      header: getHexBytes(primary.header),
    },
    getHexBytes(MARKER),
  );
  return verdict.ok ? toDisplayHash(verdict.value.blockHash) : verdict.reason;
}

/** Another digest in the last digit. */
export function flip(hex: string): string {
  const bytes = getHexBytes(hex);
  bytes[bytes.length - 1]! ^= 1;
  return bytesToHex(bytes);
}
