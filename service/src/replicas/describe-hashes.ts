import { bytesToHex, toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { CHAIN_START } from '@coinfront/protocol/hash-chain.ts';
import type { BlockRecord, ChainView } from '../chain/chain-view.ts';
import type { HashLog } from '../indexer/parts/hash-log.ts';

/** The hashes of a protocol after a block, as services compare them; below its activation there are no events yet. */
export async function describeHashes(view: ChainView, { height, hash }: BlockRecord, log: HashLog) {
  const hashes = await log.findLatest(view.reader, height);
  return {
    height,
    block_hash: toDisplayHash(hash),
    events_hash: hashes === undefined ? null : bytesToHex(hashes.events),
    chain_hash: bytesToHex(hashes?.chain ?? CHAIN_START),
    state_hash: hashes?.state ? bytesToHex(hashes.state) : null,
  };
}
