import type { PoolShareJson } from '@coinfront/api/mining.ts';
import type { BlockRecord, ChainView } from '../../chain/chain-view.ts';
import type { HashrateWindow } from '../../chain/hashrate-rules.ts';
import { formatHashrate } from '../../chain/network-hashrate.ts';
import type { MiningContext } from './mining-context.ts';
import { chooseHashrate, estimateShare } from './mining-rules.ts';
import { countPoolBlocks } from './pool-block-store.ts';
import { describeSource } from './serialise-pool.ts';

/** Windows of blocks that shares are counted in; the first is the one that hashrates are compared over. */
const shareWindows = [144, 2016];

/** The part of the network that the public pool is, for /stats; undefined where the coin has none. */
export function createPoolShare(context: Pick<MiningContext, 'main' | 'now' | 'pool'>) {
  const { main, now, pool } = context;
  if (!pool) return undefined;
  return {
    isVolatile: main.kind !== 'chain',
    async read(
      view: ChainView,
      tip: BlockRecord,
      network: readonly HashrateWindow[],
    ): Promise<PoolShareJson> {
      const rate = chooseHashrate(main.current().readings[0]?.hashrates ?? [])?.milliHashesPerSecond;
      const networkRate = network.find(({ blocks }) => blocks === shareWindows[0])?.milliHashesPerSecond;
      const blocks = [];
      for (const most of shareWindows) {
        const window = Math.min(most, tip.height + 1);
        const counts = await countPoolBlocks(view.reader, tip.height - window + 1);
        blocks.push({ window, ...counts, share: counts.verified / window });
      }
      return {
        ...describeSource(main, now()),
        hashes_per_second: formatHashrate(rate),
        estimated_share: estimateShare(rate, networkRate) ?? null,
        blocks,
      };
    },
  };
}
