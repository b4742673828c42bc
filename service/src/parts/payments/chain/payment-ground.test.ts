import { describe, expect, test } from 'vitest';
import type { ReadChain } from '../../../chain/chain-view.ts';
import { createFixtureChain } from '../../../testing/fixture-chain.ts';
import { scriptOf } from '../../../testing/fixture-server.ts';
import { readFixture } from '../../../testing/fixture-view.ts';
import type { PaymentRouteContext } from '../payment-context.ts';
import { readGround } from './payment-ground.ts';

const NOW = 1_800_000_000_000;

/** What is read for a script from an index whose looks are, one after the other, whole as of these times. */
function readFor(script: Uint8Array | undefined, ...wholeAsOf: (number | undefined)[]) {
  const chain = createFixtureChain(scriptOf(1));
  chain.addBlock(scriptOf(1));
  let looks = 0;
  const readChain: ReadChain = (read) => {
    const atMs = wholeAsOf[Math.min(looks++, wholeAsOf.length - 1)];
    const getSynced = async () => (atMs === undefined ? undefined : { atMs });
    return readFixture(chain)((view) => read({ ...view, getSynced }));
  };
  return readGround({ readChain, now: () => NOW } as PaymentRouteContext, script);
}

describe('before a payment to a given address is made', () => {
  test('what it has had is read from an index that is in step with the node', async () => {
    const { tip, earlier } = await readFor(scriptOf(1), NOW - 120_000);
    expect(earlier.outputs.map(({ height, excluded }) => [height, excluded])).toContainEqual([tip.height, 1]);
  });

  test('a whole state is waited for, which is there in a moment', async () => {
    expect((await readFor(scriptOf(1), undefined, undefined, NOW)).tip.height).toBe(1);
  });

  test.each([
    ['the index is far behind', NOW - 120_001],
    ['no state is whole, as in the first sync', undefined],
  ])('it is refused while %s: money of blocks to come would be older', async (_, atMs) => {
    await expect(readFor(scriptOf(1), atMs)).rejects.toMatchObject({ code: 'not_ready', status: 503 });
  });
});

test('an address of a pool needs no index in step: nobody was given it before', async () => {
  expect(await readFor(undefined, undefined)).toMatchObject({ earlier: { outputs: [] } });
});
