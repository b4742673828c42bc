import { getHexBytes, toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import { parseTransaction, transactionSizes, txidOf } from '@coinfront/protocol/transaction.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildTransaction } from './build-transaction.ts';
import { readPsbt, writePsbt } from './psbt-text.ts';
import { reviewTransaction } from './review-transaction.ts';
import { nextAddress, scanAccounts } from './scan-accounts.ts';
import { sendTransaction } from './send-transaction.ts';
import { finaliseTransaction, signTransaction } from './sign-transaction.ts';
import { createFakeWallet, STRANGER } from './testing/fake-wallet.ts';
import { regtestNetwork } from './testing/networks.ts';
import { planPayment } from './transaction-plan.ts';
import { getBalance } from './wallet-balance.ts';
import { openWallet } from './wallet-keys.ts';
import type { WalletReads } from './wallet-reads.ts';
import { deriveAddress, exportWatchOnly, importWatchOnly } from './watch-wallet.ts';

const COIN = 100_000_000n;
const pay = (amount: bigint | 'all') => planPayment([{ address: STRANGER, amount }], regtestNetwork);
const refusal = (code: string) => expect.objectContaining({ code });

describe("a transaction of one's own", () => {
  test('pays exactly what its review says, from all kinds of coins, at no less than the rate', async () => {
    const wallet = createFakeWallet({ p2wpkh: [COIN, COIN], p2tr: [COIN], p2pkh: [COIN] });
    const built = await wallet.build(pay(3n * COIN + COIN / 2n));
    const { review } = built;
    expect(review.inputs).toHaveLength(4);
    expect(review.sent).toBe(3n * COIN + COIN / 2n);
    expect(review.outputs.map(({ kind }) => kind)).toEqual(['external', 'change']);
    expect(review.sent + review.returned + review.fee).toBe(4n * COIN);
    const { hex, txid, vsize } = wallet.sign(built);
    const tx = getValue(parseTransaction(getHexBytes(hex)));
    expect(toDisplayHash(txidOf(tx))).toBe(txid);
    expect(tx.outputs.map(({ value }) => value)).toEqual(review.outputs.map(({ value }) => value));
    expect(transactionSizes(tx).vsize).toBe(vsize);
    expect(vsize).toBeLessThanOrEqual(review.vsize);
    expect(review.vsize - vsize).toBeLessThanOrEqual(4);
    expect(review.fee * 1_000n).toBeGreaterThanOrEqual(10_000n * BigInt(vsize));
  });

  test('is built by a watch-only wallet and signed by a machine without a network', async () => {
    const wallet = createFakeWallet({ p2wpkh: [COIN], p2tr: [COIN] });
    const watch = importWatchOnly(JSON.parse(JSON.stringify(exportWatchOnly(wallet.watch))));
    const { psbt, review } = await wallet.build(pay(COIN + 1n));
    const carried = writePsbt(psbt);
    const offline = reviewTransaction(watch, readPsbt(carried));
    expect(offline).toEqual(review);
    const signed = signTransaction(wallet.keys, watch, readPsbt(carried), { approval: offline.approval });
    expect(finaliseTransaction([readPsbt(writePsbt(signed, 'hex'))]).txid).toMatch(/^[0-9a-f]{64}$/);
  });

  test('can be signed by halves, each with the part that it has', async () => {
    const wallet = createFakeWallet({ p2wpkh: [COIN] });
    const built = await wallet.build(pay(COIN / 2n));
    expect(() => finaliseTransaction([built.psbt])).toThrow(refusal('not_signed'));
    const signed = signTransaction(wallet.keys, wallet.watch, built.psbt, {
      approval: built.review.approval,
    });
    expect(finaliseTransaction([built.psbt, signed]).txid).toBe(finaliseTransaction([signed]).txid);
  });

  test('with "all" leaves nothing behind, and asks for no change', async () => {
    const wallet = createFakeWallet({ p2wpkh: [COIN, 3n * COIN], p2pkh: [COIN] });
    const { review } = await wallet.build(pay('all'));
    expect(review.inputs).toHaveLength(3);
    expect(review.outputs).toMatchObject([{ kind: 'external', value: 5n * COIN - review.fee }]);
  });

  test('spends only the coins of the addresses that are named', async () => {
    const wallet = createFakeWallet({ p2wpkh: [COIN, COIN], p2tr: [COIN] });
    const only = deriveAddress(wallet.watch, { kind: 'p2tr', chain: 0, index: 0 });
    const { review } = await wallet.build({ ...pay(COIN / 2n), onlyFrom: [only] });
    expect(review.inputs.map(({ owner }) => owner.address)).toEqual([only.address]);
    await expect(wallet.build({ ...pay(2n * COIN), onlyFrom: [only] })).rejects.toThrow(
      refusal('insufficient_funds'),
    );
  });

  test('of a sender begins with a coin of the sender, and brings the change back to it', async () => {
    const wallet = createFakeWallet({ p2wpkh: [COIN, 20_000n, COIN] });
    const sender = deriveAddress(wallet.watch, { kind: 'p2wpkh', chain: 0, index: 1 });
    const { review } = await wallet.build({ ...pay(COIN), sender });
    expect(review.inputs[0]?.owner.address).toBe(sender.address);
    expect(review.outputs.at(-1)).toMatchObject({ kind: 'change', address: sender.address });
    const poor = deriveAddress(wallet.watch, { kind: 'p2wpkh', chain: 0, index: 9 });
    await expect(wallet.build({ ...pay(COIN), sender: poor })).rejects.toThrow(
      refusal('sender_without_coins'),
    );
  });

  test('is waited for until a scan shows its coins as spent, though it cannot be looked at meanwhile', async () => {
    const wallet = createFakeWallet({ p2wpkh: [COIN] });
    const signed = wallet.sign(await wallet.build(pay(COIN / 2n)));
    let looks = 0;
    const getRawTransaction: WalletReads['getRawTransaction'] = async (txid) => {
      looks += 1;
      if (looks < 3) throw new Error('not seen yet');
      return wallet.chain.reads.getRawTransaction(txid);
    };
    const reads = { ...wallet.chain.reads, getRawTransaction };
    expect(await sendTransaction(reads, signed)).toBe(signed.txid);
    expect(looks).toBe(3);
    const never = { ...reads, getRawTransaction: () => Promise.reject(new Error('never seen')) };
    expect(await sendTransaction(never, signed, { waitMs: 150 })).toBe(signed.txid);
  });

  test('never has dust', async () => {
    const wallet = createFakeWallet({ p2wpkh: [COIN] });
    await expect(wallet.build(pay(5_459n))).rejects.toThrow(refusal('output_dust'));
    const { review } = await wallet.build(pay(COIN - 4_000n));
    expect(review.outputs).toHaveLength(1);
    expect(review.fee).toBe(4_000n);
  });

  test('loses nothing whatever is paid: coins = outputs + fee, the rate is kept, nothing is dust', async () => {
    const wallet = createFakeWallet({
      p2wpkh: [COIN, 30_000n, 7_000n],
      p2tr: [COIN / 3n, 90_000n],
      p2pkh: [COIN / 7n],
    });
    const { coins, used } = await wallet.scan();
    const total = coins.reduce((sum, { value }) => sum + value, 0n);
    const change = deriveAddress(wallet.watch, { kind: 'p2tr', chain: 1, index: 0 });
    const parameters = { wallet: wallet.watch, coins, own: used, change, reads: wallet.chain.reads };
    await fc.assert(
      fc.asyncProperty(
        fc.bigInt(5_460n, total),
        fc.bigInt(1_000n, 60_000n),
        async (amount, feeRatePerKvb) => {
          const built = await buildTransaction({ ...parameters, plan: pay(amount), feeRatePerKvb }).catch(
            ({ code }) => code,
          );
          if (typeof built === 'string') {
            expect(['insufficient_funds', 'fee_absurd']).toContain(built);
            return;
          }
          const { review } = built;
          const { hex } = wallet.sign(built);
          const tx = getValue(parseTransaction(getHexBytes(hex)));
          const paid = tx.outputs.reduce((sum, { value }) => sum + value, 0n);
          const spent = tx.inputs.map(({ prevTxid, prevVout }) => {
            const [txid, vout] = [toDisplayHash(prevTxid), prevVout];
            return coins.find((coin) => coin.txid === txid && coin.vout === vout)!.value;
          });
          expect(paid + review.fee).toBe(spent.reduce((sum, value) => sum + value, 0n));
          expect(review.sent).toBe(amount);
          expect(review.fee * 1_000n).toBeGreaterThanOrEqual(
            feeRatePerKvb * BigInt(transactionSizes(tx).vsize),
          );
          for (const { value } of tx.outputs) expect(value).toBeGreaterThanOrEqual(5_460n);
        },
      ),
      { numRuns: 40 },
    );
  });

  test('is signed by its own keys only', async () => {
    const wallet = createFakeWallet({ p2wpkh: [COIN] });
    const { psbt, review } = await wallet.build(pay(COIN / 2n));
    const other = openWallet({ mnemonic: `${'zoo '.repeat(11)}wrong`, network: regtestNetwork });
    const { approval } = review;
    expect(() => signTransaction(other.keys, wallet.watch, psbt, { approval })).toThrow(
      refusal('keys_mismatch'),
    );
    expect(() => signTransaction(other.keys, other.watch, psbt, { approval })).toThrow(
      refusal('input_foreign'),
    );
  });
});

describe('a scan', () => {
  test('finds coins of all accounts and chains up to the gap, and the next unused addresses', async () => {
    const wallet = createFakeWallet({ p2wpkh: [COIN], p2tr: [COIN], p2pkh: [COIN] });
    for (const [chain, index] of [
      [0, 19],
      [0, 39],
      [1, 5],
      [0, 60],
    ] as const) {
      wallet.chain.pay(deriveAddress(wallet.watch, { kind: 'p2tr', chain, index }).address, COIN);
    }
    const seen: number[] = [];
    const found = await scanAccounts(wallet.watch, wallet.chain.reads, {
      onProgress: ({ scanned }) => seen.push(scanned),
    });
    // Index 60 lies behind a gap of 20.
    expect(getBalance(found)).toMatchObject({ spendable: 6n * COIN, total: 6n * COIN });
    expect(nextAddress(found, { kind: 'p2tr', chain: 0 }).index).toBe(40);
    expect(nextAddress(found, { kind: 'p2tr', chain: 1 }).index).toBe(6);
    expect(nextAddress(found, { kind: 'p2pkh', chain: 1 }).index).toBe(0);
    expect(seen.at(-1)).toBe(21 + 20 + 60 + 26 + 21 + 20);
  });

  test('ends when it is aborted', async () => {
    const wallet = createFakeWallet({ p2wpkh: [COIN] });
    const abort = new AbortController();
    const scan = scanAccounts(wallet.watch, wallet.chain.reads, {
      signal: abort.signal,
      onProgress: () => abort.abort(),
    });
    await expect(scan).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }));
  });
});
