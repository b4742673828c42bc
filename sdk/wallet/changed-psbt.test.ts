import { bytesToHex, getHexBytes } from '@coinfront/protocol/bytes.ts';
import { serializeTransaction } from '@coinfront/protocol/transaction.ts';
import { RawOldTx } from '@scure/btc-signer/script.js';
import { SigHash, Transaction } from '@scure/btc-signer/transaction.js';
import { describe, expect, test } from 'vitest';
import { PSBT_OPTIONS } from './assemble-psbt.ts';
import { buildTransaction } from './build-transaction.ts';
import { createMnemonic } from './mnemonic.ts';
import { reviewTransaction } from './review-transaction.ts';
import { signTransaction } from './sign-transaction.ts';
import { createFakeWallet, type FakeWallet, STRANGER } from './testing/fake-wallet.ts';
import { regtestNetwork } from './testing/networks.ts';
import { planPayment, readAddress } from './transaction-plan.ts';
import type { AddressKind } from './wallet-address.ts';
import { WalletError } from './wallet-error.ts';
import { openWallet } from './wallet-keys.ts';
import { deriveAddress } from './watch-wallet.ts';

const COIN = 100_000_000n;
const kinds = ['p2wpkh', 'p2tr', 'p2pkh'] as const;
const refusal = (code: string) => expect.objectContaining({ code });
const pay = (amount: bigint) => planPayment([{ address: STRANGER, amount }], regtestNetwork);

/** The same PSBT after somebody edited it on its way. */
function edit(psbt: Uint8Array, change: (tx: Transaction) => void): Uint8Array {
  const tx = Transaction.fromPSBT(psbt, PSBT_OPTIONS);
  change(tx);
  return tx.toPSBT(0);
}

/**
 * A PSBT whose first input brings another previous transaction, and the amount that goes with it: written byte by byte,
 * for the library writes no such PSBT.
 */
function forgePrevious(psbt: Uint8Array, previous: Uint8Array, amount: bigint, forged: bigint): Uint8Array {
  const carried = Transaction.fromPSBT(psbt, PSBT_OPTIONS).getInput(0).nonWitnessUtxo!;
  const old = bytesToHex(RawOldTx.encode(carried));
  const text = bytesToHex(psbt);
  expect(text).toContain(old);
  const [before, after] = text.split(old);
  const replaced = after!.replace(amountHex(amount), amountHex(forged));
  return getHexBytes(`${before}${bytesToHex(previous)}${replaced}`);
}

function amountHex(amount: bigint): string {
  return bytesToHex(getHexBytes(amount.toString(16).padStart(16, '0')).reverse());
}

describe('a PSBT that cannot be mined now', () => {
  /** The unsigned transaction of a PSBT, changed byte by byte. */
  const change = (psbt: Uint8Array, from: RegExp, to: string) => {
    const unsigned = bytesToHex(Transaction.fromPSBT(psbt, PSBT_OPTIONS).unsignedTx);
    expect(unsigned).toMatch(from);
    return getHexBytes(bytesToHex(psbt).replace(unsigned, unsigned.replace(from, to)));
  };

  test('says so, and is another one than without it', async () => {
    const wallet = createFakeWallet({ p2wpkh: [COIN] });
    const { psbt, review } = await wallet.build(pay(COIN / 2n));
    expect(review).toMatchObject({ lockTime: 0, waitsForAge: false });
    const later = reviewTransaction(wallet.watch, change(psbt, /00000000$/, 'a0860100'));
    expect(later).toMatchObject({ lockTime: 100_000, waitsForAge: false });
    const older = reviewTransaction(wallet.watch, change(psbt, /fdffffff/, '90000000'));
    expect(older).toMatchObject({ lockTime: 0, waitsForAge: true });
    expect(new Set([review, later, older].map(({ approval }) => approval)).size).toBe(3);
    // Final sequences switch a lock time off.
    const final = change(change(psbt, /00000000$/, 'a0860100'), /fdffffff/, 'ffffffff');
    expect(reviewTransaction(wallet.watch, final).lockTime).toBe(0);
  });
});

describe('a PSBT that was changed on its way to the signer', () => {
  const sign = (wallet: FakeWallet, psbt: Uint8Array, approval: string) => () =>
    signTransaction(wallet.keys, wallet.watch, psbt, { approval });

  test.each(kinds)('in outputs or amounts is not signed (%s)', async (kind: AddressKind) => {
    const wallet = createFakeWallet({ [kind]: [COIN, COIN] });
    const { psbt, review } = await wallet.build(pay(COIN / 2n));
    const thief = readAddress(STRANGER, regtestNetwork);
    const swapped = edit(psbt, (tx) => tx.updateOutput(1, { script: thief }));
    expect(sign(wallet, swapped, review.approval)).toThrow(refusal('approval_mismatch'));
    const less = edit(psbt, (tx) => tx.updateOutput(1, { amount: 10_000n }));
    expect(sign(wallet, less, review.approval)).toThrow(refusal('approval_mismatch'));
    expect(sign(wallet, psbt, review.approval)).not.toThrow();
  });

  test("does not pass somebody's output as change", async () => {
    const wallet = createFakeWallet({ p2wpkh: [COIN] });
    const { psbt } = await wallet.build(pay(COIN / 2n));
    const thief = readAddress(STRANGER, regtestNetwork);
    // The derivation of our change stays beside the script that is not ours.
    const reviewed = reviewTransaction(
      wallet.watch,
      edit(psbt, (tx) => tx.updateOutput(1, { script: thief })),
    );
    expect(reviewed.outputs.map(({ kind }) => kind)).toEqual(['external', 'external']);
    expect(reviewed.returned).toBe(0n);
  });

  test('does not pass as change what a restored wallet would never find', async () => {
    const wallet = createFakeWallet({ p2wpkh: [COIN] });
    const scan = await wallet.scan();
    const build = (index: number) =>
      buildTransaction({
        wallet: wallet.watch,
        coins: scan.coins,
        plan: pay(COIN / 2n),
        feeRatePerKvb: 5_000n,
        change: deriveAddress(wallet.watch, { kind: 'p2wpkh', chain: 1, index }),
        reads: wallet.chain.reads,
      });
    expect((await build(19_999)).review.outputs[1]).toMatchObject({ kind: 'change' });
    expect((await build(2_000_000_000)).review.outputs[1]).toMatchObject({ kind: 'external' });
  });

  test('is not signed by the description of another wallet that calls itself ours', async () => {
    const wallet = createFakeWallet({ p2wpkh: [COIN] });
    const thief = openWallet({ mnemonic: createMnemonic(), network: regtestNetwork }).watch;
    const accounts = wallet.watch.accounts.map((account) =>
      account.kind === 'p2tr' ? thief.accounts.find(({ kind }) => kind === 'p2tr')! : account,
    );
    const forged = { ...wallet.watch, accounts };
    const scan = await wallet.scan();
    const { psbt, review } = await buildTransaction({
      wallet: forged,
      coins: scan.coins,
      plan: pay(COIN / 2n),
      feeRatePerKvb: 5_000n,
      change: deriveAddress(forged, { kind: 'p2tr', chain: 1, index: 0 }),
      reads: wallet.chain.reads,
    });
    // To the forged description the thief's address is change.
    expect(review.outputs.map(({ kind }) => kind)).toEqual(['external', 'change']);
    const { approval } = review;
    expect(() => signTransaction(wallet.keys, forged, psbt, { approval })).toThrow(refusal('keys_mismatch'));
    expect(reviewTransaction(wallet.watch, psbt).outputs.map(({ kind }) => kind)).toEqual([
      'external',
      'external',
    ]);
  });

  test.each(kinds)('is refused with a previous transaction that is another one (%s)', async (kind) => {
    const wallet = createFakeWallet({ [kind]: [COIN] });
    const { psbt, review } = await wallet.build(pay(COIN / 2n));
    const owner = review.inputs[0]!.owner.address;
    const rich = wallet.chain.findTransaction(wallet.chain.pay(owner, 50n * COIN))!;
    const forged = forgePrevious(psbt, serializeTransaction(rich, { witness: false }), COIN, 50n * COIN);
    const wrongTxid = expect.objectContaining({ message: expect.stringContaining('wrong txid') });
    expect(() => reviewTransaction(wallet.watch, forged)).toThrow(
      expect.objectContaining({ code: 'psbt_invalid', cause: wrongTxid }),
    );
    expect(sign(wallet, forged, review.approval)).toThrow(WalletError);
  });

  test('is refused without the transactions that prove its amounts', async () => {
    const wallet = createFakeWallet({ p2wpkh: [COIN] });
    const { psbt } = await wallet.build(pay(COIN / 2n));
    const bare = edit(psbt, (tx) => tx.updateInput(0, { nonWitnessUtxo: undefined as never }));
    expect(() => reviewTransaction(wallet.watch, bare)).toThrow(refusal('input_unproven'));
  });

  test('is refused when it asks for signatures that leave outputs open', async () => {
    const wallet = createFakeWallet({ p2tr: [COIN] });
    const { psbt } = await wallet.build(pay(COIN / 2n));
    for (const sighashType of [SigHash.NONE, SigHash.SINGLE_ANYONECANPAY, SigHash.ALL_ANYONECANPAY]) {
      const open = edit(psbt, (tx) => tx.updateInput(0, { sighashType }));
      expect(() => reviewTransaction(wallet.watch, open)).toThrow(refusal('sighash_unsafe'));
    }
  });

  test('with inputs of others, or bytes that are no PSBT, is refused', async () => {
    const wallet = createFakeWallet({ p2wpkh: [COIN] });
    const { psbt } = await wallet.build(pay(COIN / 2n));
    const foreign = edit(psbt, (tx) => {
      tx.addInput({
        txid: getHexBytes('11'.repeat(32)),
        index: 0,
        witnessUtxo: { script: readAddress(STRANGER, regtestNetwork), amount: 5n },
      });
    });
    expect(() => reviewTransaction(wallet.watch, foreign)).toThrow(refusal('input_foreign'));
    for (const bytes of [
      new Uint8Array(0),
      psbt.subarray(0, 40),
      getHexBytes(bytesToHex(psbt).replace('70736274', '00000000')),
    ]) {
      expect(() => reviewTransaction(wallet.watch, bytes)).toThrow(refusal('psbt_invalid'));
    }
  });
});
