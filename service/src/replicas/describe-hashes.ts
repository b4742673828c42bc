import type { HeightParams } from '@coinfront/api/protocol-hashes.ts';
import type { HashesQuery } from '@coinfront/api/protocol-state.ts';
import { bytesToHex, toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { CHAIN_START, hashState } from '@coinfront/protocol/hash-chain.ts';
import type { Static } from 'typebox';
import { getBlockAt } from '../chain/chain-reads.ts';
import type { BlockRecord, ChainView } from '../chain/chain-view.ts';
import { describeAsOf } from '../http/snapshot.ts';
import type { HashLog } from '../indexer/parts/hash-log.ts';
import type { ToldState } from './told-state.ts';

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

/**
 * What a route of the hashes of a block answers; with `state=true` also state(h), which was kept or is computed.
 *
 * @throws AppError `block_not_found`, `state_unavailable`, `state_too_large`
 */
export async function readHashes({ view, tip, params, query }: HashesInput, told: ToldState) {
  const block = await getBlockAt(view, params.height);
  const described =
    query.state === 'true'
      ? await describeWithState(view, block, told)
      : await describeHashes(view, block, told.hashes);
  return { as_of: describeAsOf(tip), ...described, rules_id: told.rulesId };
}

/** What such a route is asked. */
export type HashesInput = {
  view: ChainView;
  tip: BlockRecord;
  params: Static<typeof HeightParams>;
  query: Static<typeof HashesQuery>;
};

async function describeWithState(view: ChainView, block: BlockRecord, { hashes, hashStateAt }: ToldState) {
  const described = await describeHashes(view, block, hashes);
  if (described.state_hash !== null) return described;
  // Below the activation there is no state yet.
  if (described.events_hash === null) return { ...described, state_hash: bytesToHex(hashState([])) };
  return { ...described, state_hash: await hashStateAt(view, block) };
}
