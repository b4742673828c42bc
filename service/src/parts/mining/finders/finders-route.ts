import { FinderList, FinderQuery, finderBlocks } from '@coinfront/api/mining-luck.ts';
import { encodeAddress } from '@coinfront/protocol/address.ts';
import { formatAmount } from '@coinfront/protocol/amount.ts';
import { bytesToHex } from '@coinfront/protocol/bytes.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import { parseTransaction } from '@coinfront/protocol/transaction.ts';
import type { FastifyInstance } from 'fastify';
import type { BlockRecord, ChainView } from '../../../chain/chain-view.ts';
import { registerRead } from '../../../http/read-route.ts';
import { describeAsOf } from '../../../http/snapshot.ts';
import type { MiningContext } from '../mining-context.ts';
import { miningExamples } from '../mining-examples.ts';
import { formatMs } from '../serialise-pool.ts';
import { type CoinbaseMarks, countFinders, readMarks } from './count-finders.ts';

/** Finders that an answer lists. */
const MAX_LISTED = 100;
/** Blocks whose marks are remembered: a block never gets others. */
const REMEMBERED = 2_000;

/** `/mining/pools`. */
export function registerFindersRoute(app: FastifyInstance, context: MiningContext): void {
  const { profile, pool } = context;
  const memory = new Map<string, CoinbaseMarks>();

  async function readBlockMarks(
    view: ChainView,
    block: BlockRecord,
    charge: (bytes: number) => void,
  ): Promise<CoinbaseMarks> {
    const key = bytesToHex(block.hash);
    const known = memory.get(key);
    if (known !== undefined) return known;
    const [coinbase] = await view.listBlockRawTxs(block, 0, 1);
    if (coinbase === undefined) return { tag: undefined, payee: undefined };
    charge(coinbase.raw.length);
    const marks = readMarks(getValue(parseTransaction(coinbase.raw)));
    const [oldest] = memory.keys();
    if (memory.size >= REMEMBERED && oldest !== undefined) memory.delete(oldest);
    memory.set(key, marks);
    return marks;
  }

  registerRead(app, context, {
    path: '/mining/pools',
    query: FinderQuery,
    response: FinderList,
    dependsOn: 'tip',
    cost: 5,
    operation: {
      document: 'chain',
      id: 'listBlockFinders',
      tag: 'Mining',
      summary: 'Who finds the blocks',
      description:
        'The share of the latest blocks that each tag in coinbases has; blocks without a tag are counted by the address that they pay most. Anybody can write any tag: ' +
        'it says what its miner wants it to say. Whether blocks of the public pool keep its split is in /pool/blocks.',
      errors: [],
      example: miningExamples.finders,
    },
    async read({ view, tip, query, charge }) {
      const asked = query.blocks ?? finderBlocks.default;
      const blocks = await view.listBlocks(tip.height, asked);
      const marked = [];
      for (const block of blocks) {
        const { height, time, coinbaseValue: paid } = block;
        marked.push({ height, time, paid, ...(await readBlockMarks(view, block, charge)) });
      }
      const finders = countFinders(marked, pool?.tag);
      return {
        as_of: describeAsOf(tip),
        blocks: blocks.length,
        from_height: blocks.at(-1)?.height ?? tip.height,
        finders: finders.length,
        items: finders.slice(0, MAX_LISTED).map(({ tag, payee, isPool, blocks: found, paid, last }) => ({
          tag: tag ?? null,
          address: (payee && encodeAddress(payee, profile)) ?? null,
          is_pool: isPool,
          blocks: found,
          share: found / blocks.length,
          paid: formatAmount(paid, profile.decimals),
          last_height: last.height,
          last_time: formatMs(last.time * 1_000)!,
        })),
      };
    },
  });
}
