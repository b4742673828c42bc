/** What the registry itself knows of the chain, and whether it may judge others by it. */

import { getHexBytes, toDisplayHash } from '@coinfront/protocol/bytes.ts';
import type { CoinProfile } from '@coinfront/protocol/profile.ts';
import { findWorkHash } from '@coinfront/protocol/proof-of-work.ts';
import { chooseBlockHeight } from '@coinfront/protocol/registry/block-challenge.ts';
import type { ChainView, ReadChain } from '../../../chain/chain-view.ts';
import type { NodeFacts } from '../../../node/node-facts.ts';
import { findHeaderWork, type HeaderWork } from '../../../node/p2p/branch-work.ts';
import type { ChainPlace, ProbeTask } from '../../../node/p2p/probe-peer.ts';
import type { Poller } from '../../../poll.ts';
import { MAX_LAG } from '../registry-context.ts';

/** `unavailable`: our node does not answer. `behind`: it, or our index, has not all blocks that it knows of. */
export type OwnState = 'ready' | 'unavailable' | 'behind';

export type OwnChain = {
  /** @param isFresh asks the node now, and not what it said last */
  findState(isFresh: boolean): Promise<OwnState>;
  /** Our best block; undefined before the first one is indexed. */
  findTip(): Promise<{ height: number; blockHash: string } | undefined>;
  /** What a node is asked for; undefined while our chain has no block above genesis. */
  findTask(nodeKey: string): Promise<ChainTask | undefined>;
};

/** The part of a probe that follows from our chain. */
export type ChainTask = Pick<
  ProbeTask,
  'magic' | 'auxpow' | 'tip' | 'locator' | 'findWorkAbove' | 'headerWork' | 'findHeight' | 'block' | 'maxLag'
>;

export type OwnChainOptions = {
  readChain: ReadChain;
  node: Pick<Poller<NodeFacts>, 'current' | 'refresh'>;
  profile: Pick<CoinProfile, 'p2pMagic' | 'auxpow' | 'genesisHash'>;
  now: () => number;
};

/** An index whose last whole state is older does not know the chain as it is. */
const MAX_BEHIND_MS = 60_000;
/** Blocks may come between a look at the node and one at the index. */
const SLACK_BLOCKS = 2;
/** Bytes that a block may have beyond those that we keep: extension blocks are counted apart. */
const SPARE_BLOCK_BYTES = 100_000;

export function createOwnChain({ readChain, node, profile, now }: OwnChainOptions): OwnChain {
  const magic = getHexBytes(profile.p2pMagic);
  const findHeaderWorkOf = rememberHeaderWork(profile.genesisHash);
  return {
    async findState(isFresh) {
      if (isFresh) await node.refresh();
      const { value: facts, error } = node.current();
      if (facts === undefined || error !== undefined) return 'unavailable';
      if (facts.initialBlockDownload || facts.headers - facts.blocks > SLACK_BLOCKS) return 'behind';
      return await readChain(async (view) => {
        if (view.tip === undefined || facts.blocks - view.tip.height > SLACK_BLOCKS) return 'behind';
        const synced = await view.getSynced();
        // Between a block and the look at the mempool after it there is no whole state for a moment.
        const isWhole = synced !== undefined || facts.blocks - view.tip.height <= 0;
        return isWhole && (synced === undefined || now() - synced.atMs <= MAX_BEHIND_MS) ? 'ready' : 'behind';
      });
    },
    findTip: () =>
      readChain(async ({ tip }) => tip && { height: tip.height, blockHash: toDisplayHash(tip.hash) }),
    findTask: (nodeKey) =>
      readChain(async (view) => {
        const { tip } = view;
        if (tip === undefined || tip.height < 1) return undefined;
        const height = chooseBlockHeight({ hash: toDisplayHash(tip.hash), height: tip.height }, nodeKey);
        const block = await view.findBlockAt(height);
        if (block === undefined) return undefined;
        const places = await listPlaces(view, Math.max(0, tip.height - MAX_LAG - 1));
        return {
          magic,
          auxpow: profile.auxpow,
          tip: { height: tip.height, hash: tip.hash },
          locator: places.map(({ height, hash }) => ({ height, hash })),
          headerWork: findHeaderWorkOf(places.map(({ header }) => header)),
          findWorkAbove: (height) =>
            readChain(async (later) => {
              const fork = await later.findBlockAt(height);
              return (later.tip?.chainwork ?? 0n) - (fork?.chainwork ?? 0n);
            }),
          findHeight: (hash) => readChain(async (later) => (await later.findBlock(hash))?.height),
          block: { height, hash: block.hash, bytes: block.size + SPARE_BLOCK_BYTES },
          maxLag: MAX_LAG,
        };
      }),
  };
}

/** By what hash the work of our chain is measured: as is known of it, or as its headers show themselves. */
function rememberHeaderWork(genesisHash: string): (headers: readonly Uint8Array[]) => HeaderWork {
  const known = findWorkHash(genesisHash);
  if (known !== undefined) return () => known;
  let found: HeaderWork;
  return (headers) => {
    found ??= findHeaderWork(headers);
    return found;
  };
}

/** Places from a height down to genesis, in steps that double. */
async function listPlaces(
  view: ChainView,
  fromHeight: number,
): Promise<(ChainPlace & { header: Uint8Array })[]> {
  const places: (ChainPlace & { header: Uint8Array })[] = [];
  for (let height = fromHeight, step = 1; ; height = Math.max(0, height - step), step *= 2) {
    const block = await view.findBlockAt(height);
    if (block) places.push({ height, hash: block.hash, header: block.header });
    if (height === 0) return places;
  }
}
