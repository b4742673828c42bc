import type { PoolProfile } from '@coinfront/protocol/profile.ts';
import { type SubsidyRules, subsidyAt } from '@coinfront/protocol/subsidy.ts';
import { defineTable } from '../../db/table.ts';
import type { IndexerPart } from '../../indexer/parts/part.ts';
import { judgeCoinbase, poolRulesText } from './split-rules.ts';

/** Every block of the chain whose coinbase carries the pool's tag. */
export const poolBlockTable = {
  kind: 'log',
  table: defineTable({
    name: 'pool_block',
    columns: {
      height: 'int',
      hash: 'bytes',
      time: 'int',
      grade: 'text',
      total: 'amount',
      miner: 'amount',
      operator: 'amount',
      miner_script: 'bytes?',
    },
    primaryKey: ['height'],
  }),
} as const;

/** Follows the blocks of a pool. */
export function createPoolBlockIndex(pool: PoolProfile, subsidy: SubsidyRules): IndexerPart {
  return {
    name: 'pool_blocks',
    version: 1,
    rules: poolRulesText(pool, subsidy),
    tables: [poolBlockTable],
    connectBlock(block, writer) {
      const judged = judgeCoinbase(block.getTransaction(0), pool, subsidyAt(block.height, subsidy));
      if (judged === undefined) return;
      const { grade, total, miner, operator, minerScript } = judged;
      writer.append(poolBlockTable, {
        height: block.height,
        hash: block.hash,
        time: block.time,
        grade,
        total,
        miner,
        operator,
        miner_script: minerScript ?? null,
      });
    },
  };
}
