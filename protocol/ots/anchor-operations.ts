/** How a proof of this service reads as operations of OpenTimestamps. */

import { bytesToHex, concatBytes } from '../bytes.ts';
import { isAmbiguousMerkleLeaf } from '../merkle.ts';
import { anchorScript } from '../proofs/anchor.ts';
import type { LeafPlace } from '../proofs/verify-leaf.ts';
import type { AnchorProof } from '../proofs/verify-proof.ts';
import { siblingsOnLeft } from '../signed-log/merkle-tree.ts';
import { parseTransaction, serializeTransaction } from '../transaction.ts';
import { MAX_OTS_MESSAGE, type OtsOperation } from './ots-operations.ts';

const SHA256: OtsOperation = { kind: 'sha256' };
const LEAF = Uint8Array.of(0);
const NODE = Uint8Array.of(1);

/** From a digest to the root of the tree that has it. */
export function operationsOfLeaf({ index, size, path }: LeafPlace): OtsOperation[] {
  const operations: OtsOperation[] = [{ kind: 'prepend', argument: LEAF }, SHA256];
  for (const [level, isLeft] of siblingsOnLeft(index, size).entries()) {
    const sibling = path[level]!;
    if (isLeft) operations.push({ kind: 'prepend', argument: concatBytes(NODE, sibling) });
    else operations.push({ kind: 'append', argument: sibling }, { kind: 'prepend', argument: NODE });
    operations.push(SHA256);
  }
  return operations;
}

/**
 * From an anchored digest to the merkle root of its block; undefined where the transaction cannot be read, does not anchor it, has more bytes
 * than a message may, or has 64 bytes, which prove nothing.
 */
export function operationsOfAnchor(
  digest: Uint8Array,
  { rawTx, position, branch }: Pick<AnchorProof, 'rawTx' | 'position' | 'branch'>,
  marker: Uint8Array,
): OtsOperation[] | undefined {
  const tx = parseTransaction(rawTx);
  if (!tx.ok) return undefined;
  const stripped = serializeTransaction(tx.value, { witness: false });
  if (stripped.length > MAX_OTS_MESSAGE || isAmbiguousMerkleLeaf(stripped.length)) return undefined;
  const at = findBytes(stripped, anchorScript(digest, marker));
  if (at === undefined) return undefined;
  const end = at + anchorScript(digest, marker).length;
  const operations: OtsOperation[] = [
    { kind: 'prepend', argument: stripped.subarray(0, end - digest.length) },
    { kind: 'append', argument: stripped.subarray(end) },
    SHA256,
    SHA256,
  ];
  for (const [level, sibling] of branch.entries()) {
    const isLeft = Math.floor(position / 2 ** level) % 2 === 1;
    operations.push({ kind: isLeft ? 'prepend' : 'append', argument: sibling }, SHA256, SHA256);
  }
  return operations;
}

function findBytes(bytes: Uint8Array, wanted: Uint8Array): number | undefined {
  const hex = bytesToHex(bytes);
  const needle = bytesToHex(wanted);
  for (let at = hex.indexOf(needle); at >= 0; at = hex.indexOf(needle, at + 1))
    if (at % 2 === 0) return at / 2;
  return undefined;
}
