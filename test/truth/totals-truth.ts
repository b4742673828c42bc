import { expect, test } from 'vitest';
import { listPayouts, sumBlock } from './expected-block.ts';
import { isUnspendableHex } from './expected-tx.ts';
import { baseUnits, coins } from './node-chain.ts';
import { getJson } from './read-api.ts';
import { MATURITY, type TruthContext } from './truth-context.ts';

/** Blocks between two halvings on regtest. */
const HALVING = 150;

type UtxoSet = {
  txouts: string;
  bestblock: string;
  total_amount?: string;
  /** What Namecoin's node says: the coins that names lock are told apart. */
  amount?: { total: string };
};

/** Defines the tests that hold supply and totals against the node, which must be at rest. */
export function defineTotalsTruths(get: () => TruthContext): void {
  test('supply, unspent count and unspent total are those of gettxoutsetinfo', async () => {
    const { service, node, chain } = get();
    const set = await node.client.callText<UtxoSet>('gettxoutsetinfo');
    const issued = chain.blocks.reduce((sum, block) => sum + sumBlock(chain, block).issued, 0n);
    const unspent = baseUnits(set.total_amount ?? set.amount!.total);
    const immature = listPayouts(chain)
      .filter(
        ({ height, script }) =>
          height > 0 && height > chain.height + 1 - MATURITY && !isUnspendableHex(script),
      )
      .reduce((sum, { value }) => sum + value, 0n);
    const supply = await service.get('/api/v1/supply');
    expect(supply.headers.get('x-chain-tip')).toBe(set.bestblock);
    expect(supply.json).toMatchObject({
      height: chain.height,
      issued: coins(issued),
      burned: coins(issued - unspent),
      immature: coins(immature),
      matured: coins(issued - immature),
      circulating: coins(unspent - immature),
    });
    expect((await getJson(service, '/api/v1/stats')).utxos).toBe(Number(set.txouts));
  });

  test("the subsidy is what the node's own blocks of the same time newly make, and changes where the next halving is", async () => {
    const { service, chain } = get();
    const next = chain.height + 1;
    const blocks = chain.blocks.filter(
      ({ height }) => Math.floor(Number(height) / HALVING) === Math.floor(next / HALVING),
    );
    const most = blocks.map((block) => sumBlock(chain, block).issued).sort((a, b) => Number(b - a))[0]!;
    const height = (Math.floor(next / HALVING) + 1) * HALVING;
    expect(await getJson(service, '/api/v1/supply')).toMatchObject({
      subsidy: coins(most),
      next_subsidy: { height, subsidy: coins(most / 2n), blocks_left: height - chain.height },
    });
  });

  test('the supply texts are one plain decimal number each', async () => {
    const { service } = get();
    const { issued, circulating } = await getJson(service, '/api/v1/supply');
    for (const [path, value] of [
      ['total', issued],
      ['circulating', circulating],
    ]) {
      const { text, headers } = await service.get(`/api/v1/supply/${path}`);
      expect(text).toMatch(/^\d+\.\d{8}$/);
      expect(text).toBe(value);
      expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
    }
  });

  test("totals of /stats are the sums over the node's blocks", async () => {
    const { service, chain } = get();
    const txs = chain.blocks.flatMap(({ tx }) => tx);
    const fees = chain.blocks.reduce((sum, block) => sum + sumBlock(chain, block).fees, 0n);
    expect(await getJson(service, '/api/v1/stats')).toMatchObject({
      height: chain.height,
      chainwork: chain.tip.chainwork,
      difficulty: Number(chain.tip.difficulty),
      transactions: txs.length,
      inputs: txs.reduce(
        (sum, { vin }) => sum + vin.filter(({ coinbase }) => coinbase === undefined).length,
        0,
      ),
      outputs: txs.reduce((sum, { vout }) => sum + vout.length, 0),
      fees: coins(fees),
    });
  });
}
