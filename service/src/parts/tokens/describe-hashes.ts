import type { TokenHashesJson } from '@coinfront/api/tokens.ts';
import { bytesToHex, toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { CHAIN_START } from '@coinfront/protocol/hash-chain.ts';
import type { BlockRecord, ChainView } from '../../chain/chain-view.ts';
import { tokenHashes } from './token-tables.ts';

/** The hashes after a block, as services compare them; below the activation there are none yet. */
export async function describeHashes(
  view: ChainView,
  { height, hash }: BlockRecord,
): Promise<TokenHashesJson> {
  const hashes = await tokenHashes.findLatest(view.reader, height);
  return {
    height,
    block_hash: toDisplayHash(hash),
    events_hash: hashes === undefined ? null : bytesToHex(hashes.events),
    chain_hash: bytesToHex(hashes?.chain ?? CHAIN_START),
    state_hash: hashes?.state ? bytesToHex(hashes.state) : null,
  };
}
