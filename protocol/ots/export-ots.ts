import type { LeafPlace } from '../proofs/verify-leaf.ts';
import type { AnchorProof } from '../proofs/verify-proof.ts';
import { operationsOfAnchor, operationsOfLeaf } from './anchor-operations.ts';
import { blockTagOf } from './ots-attestations.ts';
import type { OtsTimestamp } from './parse-ots.ts';
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
 * A proof as operations from the digest to the merkle root of its block, whose one attestation is that of the block. Undefined where the format cannot
 * say it: the transaction has more than 4,096 bytes, or 64.
 */
export function timestampOf({
  digest,
  place,
  anchor,
  height,
  genesisHash,
  marker,
}: OtsSource): OtsTimestamp | undefined {
  const anchored = place?.root ?? digest;
  const upper = operationsOfAnchor(anchored, anchor, marker);
  if (upper === undefined) return undefined;
  const operations = [...(place === undefined ? [] : operationsOfLeaf(place)), ...upper];
  return chainOperations(operations, { kind: 'block', tag: blockTagOf(genesisHash), height });
}

/** The same as a file of OpenTimestamps. */
export function exportOts(source: OtsSource): Uint8Array | undefined {
  const timestamp = timestampOf(source);
  return timestamp && writeOts({ hash: 'sha256', digest: source.digest, timestamp });
}
