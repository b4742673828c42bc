import { isMinedHogEx } from '@coinfront/protocol/transaction.ts';
import { expect, test } from 'vitest';
import { expectedBlockTxs } from './expected-block.ts';
import { coins, feeOf, type NodeBlock, type NodeChain, sumOutputs } from './node-chain.ts';
import { eachAtOnce, getJson, listPages } from './read-api.ts';
import { listBlocks, type TruthContext } from './truth-context.ts';

/** A transaction of a block, and what it is sorted by. */
type Ranked = { json: Record<string, unknown>; by: Record<Sort, bigint | undefined>; weight: bigint };
type Sort = 'fee_rate' | 'fee' | 'output_value' | 'vsize';

/** Fine enough to tell any two fee rates of these chains apart. */
const FINE = 10n ** 20n;

function rankBlockTxs(chain: NodeChain, block: NodeBlock): Ranked[] {
  const listed = expectedBlockTxs(chain, block);
  return block.tx.map((tx, position) => {
    const fee = isMinedHogEx(Buffer.from(tx.hex, 'hex')) ? undefined : feeOf(chain, tx);
    const weight = BigInt(tx.weight);
    const milliRate = fee === undefined ? undefined : (fee * 4_000n) / weight;
    return {
      json: {
        ...listed[position],
        fee_rate:
          milliRate === undefined
            ? null
            : `${milliRate / 1_000n}.${String(milliRate % 1_000n).padStart(3, '0')}`,
      },
      by: {
        fee_rate: fee === undefined ? undefined : (fee * FINE) / weight,
        fee,
        output_value: sumOutputs(tx),
        vsize: weight,
      },
      weight,
    };
  });
}

/** What has nothing to be sorted by is last; what is alike is in the order of the block. */
function sortBy(txs: readonly Ranked[], sort: Sort, order: 'asc' | 'desc'): unknown[] {
  const ranked = txs.filter(({ by }) => by[sort] !== undefined);
  const last = txs.filter(({ by }) => by[sort] === undefined);
  ranked.sort((a, b) => {
    const [first, second] = order === 'asc' ? [a, b] : [b, a];
    return Number(first.by[sort]! - second.by[sort]!);
  });
  return [...ranked, ...last].map(({ json }) => json);
}

/** Defines the tests that hold the sorted lists of every block against the node's own figures. The node must be at rest. */
export function defineBlockOrderTruths(get: () => TruthContext): void {
  test.each(['fee_rate', 'fee', 'output_value', 'vsize'] as const)(
    "every block's transactions by %s are the node's, sorted, page by page",
    async (sort) => {
      const { service, chain } = get();
      await eachAtOnce(listBlocks(get()), async (block) => {
        const path = `/api/v1/block/${block.height}/transactions`;
        const txs = rankBlockTxs(chain, block);
        const descending = await listPages(service, path, 7, undefined, `&sort=${sort}`);
        expect(descending.flat()).toEqual(sortBy(txs, sort, 'desc'));
        const ascending = await listPages(service, path, 100, undefined, `&sort=${sort}&order=asc`);
        expect(ascending.flat()).toEqual(sortBy(txs, sort, 'asc'));
      });
    },
  );

  test('the order of a block is that of the node, and is read backwards, too', async () => {
    const { service, chain } = get();
    await eachAtOnce(listBlocks(get()), async (block) => {
      const path = `/api/v1/block/${block.hash}/transactions`;
      const txs = rankBlockTxs(chain, block).map(({ json }) => json);
      expect((await listPages(service, path, 9)).flat()).toEqual(txs);
      const backwards = await listPages(service, path, 9, undefined, '&order=desc');
      expect(backwards.flat()).toEqual(txs.toReversed());
    });
  });

  test('a fee rate or a sum to begin with leaves out what is below it, and says how many are left', async () => {
    const { service, chain } = get();
    await eachAtOnce(listBlocks(get()), async (block) => {
      const txs = rankBlockTxs(chain, block);
      const middle = txs[Math.floor(txs.length / 2)]!;
      const value = middle.by.output_value!;
      const dear = txs.filter(({ by }) => by.output_value! >= value);
      const path = `/api/v1/block/${block.height}/transactions`;
      const answer = await getJson(service, `${path}?limit=100&min_output_value=${coins(value)}`);
      expect(answer).toEqual({
        hash: block.hash,
        height: Number(block.height),
        tx_count: txs.length,
        matches: dear.length,
        items: dear.slice(0, 100).map(({ json }) => json),
        next_cursor: dear.length > 100 ? expect.any(String) : null,
      });
      const rate = middle.json.fee_rate;
      if (typeof rate !== 'string') return;
      const least = BigInt(rate.replace('.', ''));
      const paying = txs.filter(({ by, weight }) => (by.fee ?? -1n) * 4_000n >= least * weight);
      const rated = await listPages(service, path, 100, undefined, `&min_fee_rate=${rate}`);
      expect(rated.flat()).toEqual(paying.map(({ json }) => json));
    });
  });

  test('the summary of a block has its size and fee of each transaction that has a rate, the dearest first', async () => {
    const { service, chain } = get();
    await eachAtOnce(listBlocks(get()), async (block) => {
      const rated = rankBlockTxs(chain, block).filter(({ json }) => json.fee_rate !== null);
      expect(await getJson(service, `/api/v1/block/${block.height}/summary`)).toEqual({
        hash: block.hash,
        height: Number(block.height),
        tx_count: block.tx.length,
        transactions: sortBy(rated, 'fee_rate', 'desc').map((json) => {
          const { txid, vsize, fee, fee_rate } = json as Record<string, unknown>;
          return { txid, vsize, fee, fee_rate };
        }),
      });
    });
  });

  test('a cursor is refused for another block, order or bound', async () => {
    const { service, chain } = get();
    const wide = chain.blocks.find(({ tx }) => tx.length > 1)!;
    const path = `/api/v1/block/${wide.height}/transactions`;
    const { next_cursor: cursor } = await getJson(service, `${path}?limit=1&sort=fee`);
    expect((await service.get(`${path}?sort=fee&cursor=${cursor}`)).status).toBe(200);
    for (const other of [
      `${path}?cursor=${cursor}`,
      `${path}?sort=fee_rate&cursor=${cursor}`,
      `${path}?sort=fee&order=asc&cursor=${cursor}`,
      `${path}?sort=fee&min_fee_rate=1&cursor=${cursor}`,
      `${path}?sort=fee&min_output_value=1&cursor=${cursor}`,
      `/api/v1/block/0/transactions?sort=fee&cursor=${cursor}`,
    ]) {
      const { status, json } = await service.get(other);
      expect([other, status, json.code]).toEqual([other, 400, 'invalid_cursor']);
    }
  });

  test.each([
    'sort=age',
    'order=up',
    'min_fee_rate=-1',
    'min_fee_rate=1.2345',
    'min_output_value=1e3',
    'min_output_value=0.123456789',
  ])('?%s is refused with the name of what is wrong', async (query) => {
    const { status, json } = await get().service.get(`/api/v1/block/1/transactions?${query}`);
    expect([status, json.code]).toEqual([400, 'invalid_parameter']);
    expect(json.detail).toContain(query.split('=')[0]);
  });
}
