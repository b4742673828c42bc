import { isMinedHogEx } from '@coinfront/protocol/transaction.ts';
import { expect, test } from 'vitest';
import { sumBlock } from './expected-block.ts';
import { coins, feeOf, type NodeBlock, type NodeChain } from './node-chain.ts';
import { getJson } from './read-api.ts';
import type { TruthContext } from './truth-context.ts';

type Point = { height: number; blocks: number } & Record<string, unknown>;

type Rated = { rate: bigint; weight: number };

const milli = (value: bigint): string => `${value / 1_000n}.${String(value % 1_000n).padStart(3, '0')}`;

/** What the transactions of a block pay a virtual byte, in thousandths, the least first. */
function listRates(chain: NodeChain, { tx: [, ...txs] }: NodeBlock): Rated[] {
  return txs
    .filter(({ hex }) => !isMinedHogEx(Buffer.from(hex, 'hex')))
    .map((tx) => ({ rate: (feeOf(chain, tx)! * 4_000n) / BigInt(tx.weight), weight: Number(tx.weight) }))
    .sort((a, b) => Number(a.rate - b.rate));
}

function rateAtShare(rates: readonly Rated[], share: number): bigint {
  const total = rates.reduce((sum, { weight }) => sum + weight, 0);
  let upTo = 0;
  return rates.find(({ weight }) => {
    upTo += weight;
    return upTo >= share * total;
  })!.rate;
}

/** Defines the tests that hold figures over time against the sums of the node's own blocks. The node must be at rest. */
export function defineSeriesTruths(get: () => TruthContext): void {
  test.each([
    'range=all&points=500',
    'range=all&points=7',
    'range=all&points=1',
    'range=1d',
    'from_height=13&to_height=57&points=9',
    'from_height=40&to_height=40',
    'from_height=0&to_height=0',
    'to_height=999999999&points=3',
  ])("points of ?%s are the sums of the node's blocks, without a gap", async (query) => {
    const { service, chain } = get();
    const series = await getJson(service, `/api/v1/series?${query}`);
    const most = Number(new URLSearchParams(query).get('points') ?? 300);
    expect(series.points.length).toBeGreaterThan(0);
    expect(series.points.length).toBeLessThanOrEqual(most);
    let next = series.from_height;
    for (const point of series.points as Point[]) {
      const blocks = chain.blocks.slice(next, point.height + 1);
      expect(point.blocks).toBe(blocks.length);
      expect(point).toEqual(describe(blocks, chain.blocks[next - 1]));
      next = point.height + 1;
    }
    expect(next - 1).toBe(series.to_height);
    expect(series.to_height).toBeLessThanOrEqual(chain.height);

    function describe(blocks: readonly NodeBlock[], before: NodeBlock | undefined): Point {
      const last = blocks.at(-1)!;
      const height = Number(last.height);
      const sum = (pick: (block: NodeBlock) => bigint): bigint =>
        blocks.reduce((total, block) => total + pick(block), 0n);
      const seconds = before && Number(last.mediantime) - Number(before.mediantime);
      const work = before && BigInt(`0x${last.chainwork}`) - BigInt(`0x${before.chainwork}`);
      const fees = sum((block) => sumBlock(chain, block).fees);
      const weight = sum(({ weight }) => BigInt(weight));
      return {
        height,
        blocks: blocks.length,
        time: new Date(Number(last.mediantime) * 1_000).toISOString(),
        block_interval_seconds: seconds === undefined ? null : seconds / blocks.length,
        difficulty: Number(last.difficulty),
        hashes_per_second: seconds ? milli((work! * 1_000n) / BigInt(seconds)) : null,
        tx_count: blocks.reduce((count, { tx }) => count + tx.length, 0),
        size: Number(sum(({ size }) => BigInt(size))),
        weight: Number(weight),
        fees: coins(fees),
        per_vb: milli((fees * 4_000n) / weight),
        fee_rates: describeRates(blocks),
        issued: coins(sum((block) => sumBlock(chain, block).issued)),
        supply: coins(
          chain.blocks.slice(0, height + 1).reduce((total, each) => total + sumBlock(chain, each).issued, 0n),
        ),
        utxo_count: expect.any(Number),
      };
    }

    function describeRates(blocks: readonly NodeBlock[]): Record<string, string> | null {
      const ofBlocks = blocks.flatMap((block) => {
        const rates = listRates(chain, block);
        return rates.length === 0 ? [] : [rates];
      });
      if (ofBlocks.length === 0) return null;
      const mean = (share: number): string =>
        milli(ofBlocks.reduce((sum, rates) => sum + rateAtShare(rates, share), 0n) / BigInt(ofBlocks.length));
      return { p10: mean(0.1), p25: mean(0.25), median: mean(0.5), p75: mean(0.75), p90: mean(0.9) };
    }
  });

  test('the fee rates of a block alone are those of its own page', async () => {
    const { service, chain } = get();
    const { height } = chain.blocks.findLast(({ tx }) => tx.length > 2)!;
    const { points } = await getJson(service, `/api/v1/series?from_height=${height}&to_height=${height}`);
    const { lowest, highest, ...shares } = (await getJson(service, `/api/v1/block/${height}/fees`)).fee_rates;
    expect([typeof lowest, typeof highest]).toEqual(['string', 'string']);
    expect(points[0].fee_rates).toEqual(shares);
  });

  test('the last point of all blocks has the supply and the unspent outputs of the tip', async () => {
    const { service } = get();
    const last = (await getJson(service, '/api/v1/series?range=all')).points.at(-1);
    expect(last.supply).toBe((await getJson(service, '/api/v1/supply')).issued);
    expect(last.utxo_count).toBe((await getJson(service, '/api/v1/stats')).utxos);
  });

  test('a span that has no block, and a range beside a height, are refused in words', async () => {
    const { service, chain } = get();
    for (const [query, words] of [
      [`from_height=${chain.height + 1}`, 'begin at or below it'],
      ['from_height=9&to_height=8', 'begin at or below it'],
      ['range=1d&from_height=1', 'give one of the two'],
    ]) {
      const answer = await service.get(`/api/v1/series?${query}`);
      expect([answer.status, answer.json.code]).toEqual([400, 'invalid_parameter']);
      expect(answer.json.detail).toContain(words);
    }
  });
}
