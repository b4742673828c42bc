import { genesisPrefix } from '@coinfront/protocol/genesis-prefix.ts';
import type { CoinProfile } from '@coinfront/protocol/profile.ts';
import type { IndexerPart } from './indexer/parts/part.ts';
import { coinbasePayouts } from './parts/chain/coinbase-payouts.ts';
import { createPoolBlockIndex } from './parts/mining/pool-block-index.ts';
import { createNameIndex } from './parts/names/name-index.ts';
import { createProofAnchors } from './parts/proofs/proof-anchors.ts';
import { createTokenIndex } from './parts/tokens/token-index.ts';

/** Every part that derives state from the blocks of this coin, in the order in which they see a block. */
export function listIndexerParts(profile: CoinProfile): IndexerPart[] {
  const { names, pool, proofs, tokens } = profile;
  const prefix = genesisPrefix(profile);
  return [
    coinbasePayouts,
    ...(pool ? [createPoolBlockIndex(pool, profile)] : []),
    createProofAnchors(proofs.marker),
    ...(names ? [createNameIndex({ rules: names, genesisPrefix: prefix })] : []),
    ...(tokens ? [createTokenIndex({ rules: tokens, genesisPrefix: prefix })] : []),
  ];
}
