import { bytesToHex } from '@coinfront/protocol/bytes.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bumpFee } from './bump-fee.ts';
import { planAnchor } from './plan-anchor.ts';
import { createdTokenId, planTokenCreate } from './plan-tokens.ts';
import { nextAddress } from './scan-accounts.ts';
import { createFakeWallet, type FakeWallet, STRANGER } from './testing/fake-wallet.ts';
import { regtestNetwork } from './testing/networks.ts';
import { planPayment, readAddress, type TransactionPlan } from './transaction-plan.ts';
import { deriveAddress } from './watch-wallet.ts';

const COIN = 100_000_000n;
const refusal = (code: string) => expect.objectContaining({ code });
const pay = (amount: bigint | 'all') => planPayment([{ address: STRANGER, amount }], regtestNetwork);

/** Sends a plan; gives what was sent, and a way to bump it. */
async function send(wallet: FakeWallet, plan: TransactionPlan) {
  const built = await wallet.build(plan);
  const { hex, txid } = wallet.sign(built);
  await wallet.chain.reads.broadcast(hex);
  const scan = await wallet.scan();
  const change = nextAddress(scan, { kind: 'p2wpkh', chain: 1 });
  const bump = (feeRatePerKvb: bigint) =>
    bumpFee({ scan, txid, feeRatePerKvb, change, reads: wallet.chain.reads });
  return { ...built, txid, bump };
}

describe('a fee bump', () => {
  test('pays more for the same, whatever the rate: inputs and outputs stay in their places, only change pays', async () => {
    const wallet = createFakeWallet({ p2wpkh: [COIN, 60_000n], p2tr: [40_000n] });
    const { review, bump } = await send(wallet, pay(COIN / 2n));
    const spent = review.inputs.map(({ txid, vout }) => `${txid}:${vout}`);
    await fc.assert(
      fc.asyncProperty(fc.bigInt(1n, 900_000n), async (rate) => {
        const { review: bumped, replaces } = await bump(rate);
        expect(replaces.fee).toBe(review.fee);
        expect(bumped.inputs.slice(0, spent.length).map(({ txid, vout }) => `${txid}:${vout}`)).toEqual(
          spent,
        );
        expect(bumped.outputs[0]).toEqual(review.outputs[0]);
        expect(bumped.sent).toBe(review.sent);
        // BIP-125, rule 4.
        expect(bumped.fee).toBeGreaterThanOrEqual(review.fee + BigInt(bumped.vsize));
        expect(bumped.fee * 1_000n).toBeGreaterThanOrEqual(rate * BigInt(bumped.vsize));
        const total = bumped.inputs.reduce((sum, { value }) => sum + value, 0n);
        expect(bumped.sent + bumped.returned + bumped.fee).toBe(total);
        for (const { kind, value } of bumped.outputs)
          if (kind !== 'data') expect(value).toBeGreaterThanOrEqual(5_460n);
      }),
      { numRuns: 40 },
    );
  });

  test('adds confirmed coins where there is no change to pay from, and says so where there are none', async () => {
    const wallet = createFakeWallet({ p2wpkh: [30_000n, 90_000n] });
    const first = deriveAddress(wallet.watch, { kind: 'p2wpkh', chain: 0, index: 0 });
    const { review, bump } = await send(wallet, { ...pay(27_000n), onlyFrom: [first] });
    expect(review.outputs).toHaveLength(1);
    const { review: bumped } = await bump(50_000n);
    expect(bumped.inputs.map(({ value }) => value)).toEqual([30_000n, 90_000n]);
    expect(bumped.outputs.map(({ kind, value }) => [kind, value > 20_000n])).toEqual([
      ['external', true],
      ['change', true],
    ]);
    // Nodes replace by a higher rate only, and a further input makes the transaction longer.
    const { review: least } = await bump(1n);
    expect(least.inputs).toHaveLength(2);
    expect(least.fee * BigInt(review.vsize)).toBeGreaterThan(review.fee * BigInt(least.vsize));
    const poor = createFakeWallet({ p2wpkh: [30_000n] });
    await expect((await send(poor, pay('all'))).bump(50_000n)).rejects.toThrow(refusal('insufficient_funds'));
  });

  test('of a token that is created keeps its id, with all inputs and the payload', async () => {
    const wallet = createFakeWallet({ p2wpkh: [COIN, COIN], p2pkh: [2n * COIN] });
    const issuer = deriveAddress(wallet.watch, { kind: 'p2pkh', chain: 0, index: 0 });
    const terms = {
      mintable: false,
      decimals: 0,
      premine: 7n,
      cap: undefined,
      ticker: 'SEVEN',
      metadataHash: undefined,
    };
    const fee = { amount: COIN, script: readAddress(STRANGER, regtestNetwork) };
    const { review, bump } = await send(wallet, planTokenCreate({ terms, issuer, fee }));
    const tokenId = createdTokenId(review, regtestNetwork);
    expect(tokenId).toMatch(/^[0-9a-f]{64}$/);
    const { review: bumped } = await bump(200_000n);
    expect(createdTokenId(bumped, regtestNetwork)).toBe(tokenId);
    expect(bytesToHex(bumped.outputs[0]!.script)).toBe(bytesToHex(review.outputs[0]!.script));
  });

  test('of an anchor takes its only coin back as change', async () => {
    const wallet = createFakeWallet({ p2tr: [COIN] });
    const { bump } = await send(wallet, planAnchor(['ab'.repeat(32)]));
    const { review } = await bump(100_000n);
    expect(review.outputs.map(({ kind }) => kind)).toEqual(['data', 'change']);
    expect(review.inputs).toHaveLength(1);
  });

  test('takes the coins of who holds tokens last', async () => {
    const wallet = createFakeWallet({ p2wpkh: [30_000n, COIN, 50_000n] });
    const [holder] = (await wallet.scan()).used.filter(({ index }) => index === 1);
    const signed = wallet.sign(
      await wallet.build({ ...pay(26_000n), onlyFrom: [(await wallet.scan()).used[0]!] }),
    );
    await wallet.chain.reads.broadcast(signed.hex);
    const scan = await wallet.scan();
    const change = nextAddress(scan, { kind: 'p2wpkh', chain: 1 });
    const bump = (feeRatePerKvb: bigint) =>
      bumpFee({ scan, txid: signed.txid, feeRatePerKvb, change, keep: [holder!], reads: wallet.chain.reads });
    expect((await bump(60_000n)).review.inputs.map(({ value }) => value)).toEqual([30_000n, 50_000n]);
    expect((await bump(500_000n)).review.inputs.map(({ value }) => value)).toContain(COIN);
  });

  test('is not followed into replacing what is mined, or what other transactions hang on', async () => {
    const wallet = createFakeWallet({ p2wpkh: [COIN] });
    const send = async () => {
      const signed = wallet.sign(await wallet.build(pay(COIN / 4n)));
      await wallet.chain.reads.broadcast(signed.hex);
      return signed.txid;
    };
    const bump = async (txid: string) => {
      const scan = await wallet.scan();
      const change = nextAddress(scan, { kind: 'p2wpkh', chain: 1 });
      return bumpFee({ scan, txid, feeRatePerKvb: 30_000n, change, reads: wallet.chain.reads });
    };
    const first = await send();
    const second = await send();
    await expect(bump(first)).rejects.toThrow(refusal('not_replaceable'));
    await expect(bump(second)).resolves.toMatchObject({ replaces: { txid: second } });
    wallet.chain.mine();
    await expect(bump(second)).rejects.toThrow(refusal('not_replaceable'));
  });
});
