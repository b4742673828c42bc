import type { LeafPlace } from '../proofs/verify-leaf.ts';
import type { AnchorProof } from '../proofs/verify-proof.ts';
import { operationsOfAnchor, operationsOfLeaf } from './anchor-operations.ts';
import { blockTagOf } from './ots-attestations.ts';
import { chainOperations, writeOts } from './write-ots.ts';

/** What a file of OpenTimestamps is made of. */
export type OtsSource = {
  digest: Uint8Array;
  /** Where the digest stands in a tree; undefined for one that is anchored itself. */
  place: LeafPlace | undefined;
  anchor: Pick<AnchorProof, 'rawTx' | 'position' | 'branch'>;
  height: number;
  /** Display hex. */
  genesisHash: string;
  marker: Uint8Array;
};

/**
 * A proof as a file of OpenTimestamps, whose one attestation is that of the block. Undefined where the format cannot say it: the transaction
 * has more than 4,096 bytes, or 64.
 */
export function exportOts({
  digest,
  place,
  anchor,
  height,
  genesisHash,
  marker,
}: OtsSource): Uint8Array | undefined {
  const anchored = place?.root ?? digest;
  const upper = operationsOfAnchor(anchored, anchor, marker);
  if (upper === undefined) return undefined;
  const operations = [...(place === undefined ? [] : operationsOfLeaf(place)), ...upper];
  const timestamp = chainOperations(operations, { kind: 'block', tag: blockTagOf(genesisHash), height });
  return writeOts({ hash: 'sha256', digest, timestamp });
}
