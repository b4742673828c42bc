import { formatAmount } from '@coinfront/protocol/amount.ts';
import { bytesToHex, getHexBytes } from '@coinfront/protocol/bytes.ts';
import { regtest } from '@coinfront/protocol/testing/profiles.ts';
import { SigHash, Transaction } from '@scure/btc-signer/transaction.js';
import { describe, expect, test } from 'vitest';
import { PSBT_OPTIONS } from './assemble-psbt.ts';
import { chooseFeeRate } from './fee-policy.ts';
import { checkNetwork, readNetwork } from './network.ts';
import { reviewTransaction } from './review-transaction.ts';
import { signTransaction } from './sign-transaction.ts';
import { createFakeWallet, type FakeWallet, STRANGER } from './testing/fake-wallet.ts';
import { configOf, regtestNetwork } from './testing/networks.ts';
import { planPayment, readAddress } from './transaction-plan.ts';
import type { AddressKind } from './wallet-address.ts';
import type { WalletReads } from './wallet-reads.ts';

const COIN = 100_000_000n;
const kinds = ['p2wpkh', 'p2tr', 'p2pkh'] as const;
const refusal = (code: string) => expect.objectContaining({ code });
const pay = (amount: bigint) => planPayment([{ address: STRANGER, amount }], regtestNetwork);

/** Reads whose unspent outputs say another value than they have. */
function withValue(reads: WalletReads, value: bigint): WalletReads {
  return {
    ...reads,
    async getAddress(address) {
      const report = await reads.getAddress(address);
      const items = report.utxos.items.map((item) => ({ ...item, value: formatAmount(value, 8) }));
      return { ...report, utxos: { ...report.utxos, items } };
    },
  };
}

/** The same PSBT after somebody edited it on its way. */
function edit(psbt: Uint8Array, change: (tx: Transaction) => void): Uint8Array {
  const tx = Transaction.fromPSBT(psbt, PSBT_OPTIONS);
  change(tx);
  return tx.toPSBT(0);
}

describe('a service that lies', () => {
  test.each(kinds)('about the amount of a %s coin is found out before anything is signed', async (kind) => {
    for (const told of [COIN / 10n, COIN * 10n]) {
      const wallet = createFakeWallet({ [kind]: [COIN] });
      const reads = withValue(wallet.chain.reads, told);
      await expect(wallet.build(pay(COIN / 20n), { reads })).rejects.toThrow(refusal('coin_mismatch'));
    }
  });

  test('about whose a coin is is found out', async () => {
    const wallet = createFakeWallet({ p2wpkh: [COIN] });
    const foreign = wallet.chain.pay(STRANGER, COIN);
    const reads: WalletReads = {
      ...wallet.chain.reads,
      async getAddress(address) {
        const report = await wallet.chain.reads.getAddress(address);
        const items = report.utxos.items.map((item) => ({ ...item, txid: foreign }));
        return { ...report, utxos: { ...report.utxos, items } };
      },
    };
    await expect(wallet.build(pay(COIN / 2n), { reads })).rejects.toThrow(refusal('coin_mismatch'));
  });

  test('with another transaction than the one that was asked for is found out', async () => {
    const wallet = createFakeWallet({ p2wpkh: [COIN] });
    const other = wallet.chain.pay(STRANGER, 5n * COIN);
    const real = wallet.chain.reads;
    for (const raw of [await real.getRawTransaction(other), '00', 'zz', 'ab'.repeat(5_000_000)]) {
      const reads = { ...real, getRawTransaction: async () => raw };
      await expect(wallet.build(pay(COIN / 2n), { reads })).rejects.toThrow(
        refusal('previous_transaction_invalid'),
      );
    }
  });

  test('with advice of 100 times the fee is not followed; nor is a rate without limit from anybody', async () => {
    const fees = (perKvb: bigint) => async () => {
      const honest = await createFakeWallet({}).chain.reads.getFees();
      const rate = { per_vb: '', per_kvb: formatAmount(perKvb, 8) };
      return { ...honest, estimates: honest.estimates.map((estimate) => ({ ...estimate, ...rate })) };
    };
    await expect(chooseFeeRate({}, fees(1_000n), regtestNetwork)).resolves.toBe(1_000n);
    await expect(chooseFeeRate({}, fees(100_000n), regtestNetwork)).rejects.toThrow(
      refusal('fee_rate_absurd'),
    );
    await expect(chooseFeeRate({}, fees(0n), regtestNetwork)).resolves.toBe(1_000n);
    await expect(chooseFeeRate({ ratePerKvb: 100_000n }, fees(1n), regtestNetwork)).resolves.toBe(100_000n);
    await expect(chooseFeeRate({ ratePerKvb: COIN }, fees(1n), regtestNetwork)).rejects.toThrow(
      refusal('fee_rate_absurd'),
    );
  });

  test('cannot make a transaction whose fee is out of proportion', async () => {
    const wallet = createFakeWallet({ p2wpkh: [10n * COIN] });
    await expect(wallet.build(pay(6_000n), { ratePerKvb: 800_000n })).rejects.toThrow(refusal('fee_absurd'));
    await expect(wallet.build(pay(COIN), { ratePerKvb: 90_000_000n })).rejects.toThrow(refusal('fee_absurd'));
  });

  test('of another chain, or of the same with other addresses, is not worked with', () => {
    const config = configOf(regtest);
    expect(() => checkNetwork(regtestNetwork, config)).not.toThrow();
    const foreign = { ...config, genesis_hash: '00'.repeat(32) };
    expect(() => checkNetwork(regtestNetwork, foreign)).toThrow(refusal('network_mismatch'));
    expect(() => readNetwork(foreign, { genesisHash: regtest.genesisHash })).toThrow(
      refusal('network_mismatch'),
    );
    for (const change of [
      { bip44_coin_type: 0 },
      { decimals: 6, dust_limit: '0.00546' },
      { uri_scheme: 'other' },
    ]) {
      expect(() => checkNetwork(regtestNetwork, { ...config, ...change })).toThrow(
        refusal('network_changed'),
      );
    }
    expect(() => readNetwork({ ...config, dust_limit: '5.00000000' })).toThrow(refusal('network_invalid'));
    expect(() => readNetwork({} as typeof config)).toThrow(refusal('network_invalid'));
  });

  test('with coins that have not the form of coins is refused', async () => {
    const wallet = createFakeWallet({ p2wpkh: [COIN] });
    const real = wallet.chain.reads;
    for (const change of [{ value: '-1' }, { value: '1e8' }, { txid: 'x' }, { vout: -1 }, { vout: 1.5 }]) {
      const getAddress: WalletReads['getAddress'] = async (address) => {
        const report = await real.getAddress(address);
        return {
          ...report,
          utxos: { ...report.utxos, items: report.utxos.items.map((item) => ({ ...item, ...change })) },
        };
      };
      await expect(wallet.scan({ ...real, getAddress })).rejects.toThrow(refusal('answer_invalid'));
    }
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
