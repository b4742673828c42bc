import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findBitcoinNode } from '../../scripts/bitcoin-node.ts';
import { sendRawTransaction } from '../../service/src/node/broadcast.ts';
import { startNode, type TestNode } from '../harness/litecoind.ts';
import { openPurse, type RawCoin, spend } from '../harness/raw-coins.ts';

const VALUE = 10_000_000n;
const { missing } = findBitcoinNode();
const isKnots = missing === undefined && !process.env.COINFRONT_TEST_BITCOIN;

describe.skipIf(!isKnots)('Bitcoin Knots with its own policy', () => {
  let node: TestNode;
  let nextCoin: () => RawCoin;

  beforeAll(async () => {
    node = await startNode({ extraArgs: ['-corepolicy=0'] });
    nextCoin = await openPurse(node, { count: 4, value: VALUE, owner: 1 });
  });
  afterAll(() => node.stop());

  test.each([
    ['data in a witness script', 0, /^txn-datacarrier-nonstandard/],
    ['the lock time of a parasite', 21, /^parasite-cat21/],
  ])('refuses %s as not standard', async (_, locktime, reason) => {
    const { hex, txid } = spend([nextCoin()], [{ value: VALUE - 10_000n, owner: 2 }], { locktime });
    expect(await sendRawTransaction(node.client, hex, txid)).toEqual({
      ok: false,
      code: 'non_standard',
      reason: expect.stringMatching(reason),
    });
  });
});
