import type { CoinProfile } from '@coinfront/protocol/profile.ts';
import type { IndexerPart } from './indexer/part.ts';
import { coinbasePayouts } from './parts/chain/coinbase-payouts.ts';
import { createProofAnchors } from './parts/proofs/proof-anchors.ts';

/** Every part that derives state from the blocks of this coin, in the order in which they see a block. */
export function listIndexerParts(profile: CoinProfile): IndexerPart[] {
  return [coinbasePayouts, createProofAnchors(profile.proofs.marker)];
}
