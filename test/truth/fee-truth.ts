import { expect, test } from 'vitest';
import { waitUntil } from '../harness/litecoind.ts';
import { baseUnits, coins } from './node-chain.ts';
import { getJson } from './read-api.ts';
import type { TruthContext } from './truth-context.ts';

/** Targets that /fee has, as the documents say. */
const TARGETS = [1, 2, 3, 6, 12, 24, 144, 504, 1008];

/** Defines the tests of fee rates. The service asks the node now and then, so the node must be at rest since its start. */
export function defineFeeTruths(get: () => TruthContext): void {
  test("fee estimates are the node's; where it has none for a target, its next for a longer one, or for a shorter one, or its minimum", async () => {
    const { service, node } = get();
    const { mempoolminfee } = await node.client.callText<{ mempoolminfee: string }>('getmempoolinfo');
    const rates: (string | undefined)[] = [];
    for (const target of TARGETS) {
      rates.push((await node.client.callText<{ feerate?: string }>('estimatesmartfee', [target])).feerate);
    }
    const expected = TARGETS.map((target, i) => {
      const isKnown = (each: string | undefined) => each !== undefined;
      const rate = rates.slice(i).find(isKnown) ?? rates.slice(0, i).findLast(isKnown) ?? mempoolminfee;
      return { target, rate: baseUnits(rate) };
    });
    await waitUntil('the service knows fees', async () => {
      return (await getJson(service, '/api/v1/fee')).estimates_as_of !== null;
    });

    const fee = await getJson(service, '/api/v1/fee');
    expect(fee.minimum).toMatchObject({ per_kvb: mempoolminfee, source: 'node' });
    const shown = fee.estimates.map((each: { target_blocks: number; per_kvb: string }) => [
      each.target_blocks,
      each.per_kvb,
    ]);
    expect(shown).toEqual(expected.map(({ target, rate }) => [target, coins(rate)]));
    const esplora = await getJson(service, '/esplora/fee-estimates');
    for (const { target, rate } of expected)
      expect([target, esplora[target]]).toEqual([target, Number(rate) / 1000]);
  });
}
