import { createFakeWallet, type FakeWallet, STRANGER } from '@coinfront/sdk/wallet/testing/fake-wallet.ts';
import { regtestNetwork } from '@coinfront/sdk/wallet/testing/networks.ts';
import { planPayment } from '@coinfront/sdk/wallet/transaction-plan.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { showReview } from './describe-review.ts';

describe('what is shown before it is signed', () => {
  let built: Awaited<ReturnType<FakeWallet['build']>>;
  beforeAll(async () => {
    const wallet = createFakeWallet({ p2wpkh: [100_000_000n] });
    built = await wallet.build(planPayment([{ address: STRANGER, amount: 1_000_000n }], regtestNetwork));
  });
  const waits = (change: object) =>
    showReview({ ...built.review, ...change }, regtestNetwork).filter((line) => line.startsWith('waits'));

  test.each([
    [{}, []],
    [{ lockTime: 840_000 }, ['waits    it can be mined after block 840000 only']],
    [{ lockTime: 1_900_000_000 }, ['waits    it can be mined after 2030-03-17T17:46:40.000Z only']],
    [{ waitsForAge: true }, ['waits    it can be mined only once its coins are older']],
  ])('says when a transaction waits: %j', (change, lines) => {
    expect(waits(change)).toEqual(lines);
  });
});
