import type { NameAvailabilityJson } from '@coinfront/api/names.ts';
import type { PaymentJson } from '@coinfront/api/payments.ts';
import { formatAmount } from '@coinfront/protocol/amount.ts';
import { regtest } from '@coinfront/protocol/testing/profiles.ts';
import { describe, expect, test } from 'vitest';
import { bumpFee } from './bump-fee.ts';
import { chooseFeeRate } from './fee-policy.ts';
import { type NameStatus, quoteName } from './name-quote.ts';
import { checkNetwork, readNetwork } from './network.ts';
import { preflightTransaction } from './preflight-transaction.ts';
import { readPaymentRequest } from './read-payment-request.ts';
import { nextAddress, scanAccounts } from './scan-accounts.ts';
import { sendTransaction } from './send-transaction.ts';
import { createFakeWallet, STRANGER } from './testing/fake-wallet.ts';
import { configOf, regtestNetwork } from './testing/networks.ts';
import { planPayment } from './transaction-plan.ts';
import type { WalletReads } from './wallet-reads.ts';
import { deriveAddress } from './watch-wallet.ts';

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

  test('that calls every address used does not keep the wallet busy for ever', async () => {
    const wallet = createFakeWallet({});
    const real = wallet.chain.reads;
    const getAddress: WalletReads['getAddress'] = async (address) => {
      const report = await real.getAddress(address);
      return { ...report, confirmed: { ...report.confirmed, tx_count: 1 } };
    };
    const scan = scanAccounts(wallet.watch, { ...real, getAddress }, { maxAddresses: 50 });
    await expect(scan).rejects.toThrow(refusal('scan_limit'));
  });

  test('about a fee bump cannot make it cost more, or pay somebody else', async () => {
    const wallet = createFakeWallet({ p2wpkh: [COIN, COIN] });
    const signed = wallet.sign(await wallet.build(pay(COIN / 2n)));
    await wallet.chain.reads.broadcast(signed.hex);
    const scan = await wallet.scan();
    const change = nextAddress(scan, { kind: 'p2wpkh', chain: 1 });
    const bump = (reads: WalletReads, feeRatePerKvb = 20_000n) =>
      bumpFee({ scan, txid: signed.txid, feeRatePerKvb, change, reads });
    const honest = await bump(wallet.chain.reads);
    expect(honest.review.sent).toBe(COIN / 2n);
    expect(honest.review.feeRatePerKvb).toBeGreaterThanOrEqual(20_000n);
    expect(honest.review.outputs[0]).toMatchObject({ kind: 'external', address: STRANGER, value: COIN / 2n });
    const other = wallet.chain.pay(STRANGER, COIN);
    const raw = await wallet.chain.reads.getRawTransaction(other);
    const swapped = { ...wallet.chain.reads, getRawTransaction: async () => raw };
    await expect(bump(swapped)).rejects.toThrow(refusal('previous_transaction_invalid'));
    const fees = await wallet.chain.reads.getFees();
    const greedy = {
      ...wallet.chain.reads,
      getFees: async () => ({ ...fees, minimum: { ...fees.minimum, per_kvb: '9.00000000' } }),
    };
    expect((await bump(greedy)).review.fee).toBe(honest.review.fee);
    await expect(bump(wallet.chain.reads, 90_000_000n)).rejects.toThrow(refusal('fee_absurd'));
  });

  test('about a payment is not paid: another address in the URI, another id, a closed one', async () => {
    const address = STRANGER;
    const other = deriveAddress(createFakeWallet({}).watch, { kind: 'p2tr', chain: 0, index: 0 }).address;
    const id = 'VP-0123456789AB';
    const payment = {
      id,
      status: 'open',
      address,
      remaining: '0.50000000',
      accepted_at: null,
      payment_uri: `coin:${address}?amount=0.50000000&label=Shop`,
      description: 'Shoes',
      expires_at: '2026-01-01T00:00:00.000Z',
    } as PaymentJson;
    const read = (change: Partial<PaymentJson>) =>
      readPaymentRequest(id, regtestNetwork, async () => ({ ...payment, ...change }));
    await expect(read({})).resolves.toMatchObject({ address, amount: COIN / 2n, label: 'Shop' });
    await expect(read({ payment_uri: `coin:${other}` })).rejects.toThrow(refusal('payment_request_invalid'));
    await expect(read({ id: 'VP-ZZZZZZZZZZZZ' })).rejects.toThrow(refusal('payment_request_invalid'));
    await expect(read({ remaining: '-1' })).rejects.toThrow(refusal('payment_request_invalid'));
    await expect(read({ address: 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu' })).rejects.toThrow(
      refusal('address_invalid'),
    );
    await expect(read({ status: 'expired' })).rejects.toThrow(refusal('payment_closed'));
    await expect(readPaymentRequest('bitcoin:x', regtestNetwork)).rejects.toThrow(
      refusal('payment_request_invalid'),
    );
  });

  test('about what names cost is bounded, and names that cannot be had are not paid for', () => {
    const status = { rules: { tlds: ['coin'], min_label_length: 3 }, fee: { script: '51' } } as NameStatus;
    const cost = { per_period: '0.10000000', premium: '0.50000000', total: '0.60000000' };
    const availability = { name: 'a.coin', available: true, status: 'premium', cost } as NameAvailabilityJson;
    const quote = (atMost: bigint, change: Partial<NameAvailabilityJson> = {}) =>
      quoteName('register', { ...availability, ...change }, status, regtestNetwork, { periods: 3, atMost });
    expect(quote(COIN).total).toBe((COIN * 8n) / 10n);
    expect(() => quote(COIN / 2n)).toThrow(refusal('amount_invalid'));
    expect(() => quote(COIN, { available: false })).toThrow(refusal('name_unavailable'));
    expect(() => quote(COIN, { cost: { ...cost, premium: 'x' } })).toThrow(refusal('answer_invalid'));
  });

  test('about a renewal that would change nothing is not paid for', () => {
    const rules = { period_blocks: 100, max_periods: 3 };
    const status = { rules, fee: { script: '51' } } as NameStatus;
    const cost = { per_period: '0.10000000', premium: '0.00000000', total: '0.10000000' };
    const name = { name: 'a.coin', status: 'registered', height: 1000, expiry: { height: 1100 }, cost };
    const quote = (periods: number, change: object = {}) =>
      quoteName('renew', { ...name, ...change } as NameAvailabilityJson, status, regtestNetwork, { periods });
    expect(quote(2).total).toBe(COIN / 5n);
    expect(() => quote(3)).toThrow(refusal('name_unavailable'));
    expect(quote(3, { status: 'grace', expiry: { height: 999 } }).total).toBe((COIN * 3n) / 10n);
    expect(() => quote(1, { status: 'free' })).toThrow(refusal('name_unavailable'));
    expect(() => quote(1, { status: 'premium', expiry: { height: 500 } })).toThrow(
      refusal('name_unavailable'),
    );
  });

  test('with a preflight of another transaction, or of one that fails, nothing is sent', async () => {
    const wallet = createFakeWallet({ p2wpkh: [COIN] });
    const signed = wallet.sign(await wallet.build(pay(COIN / 2n)));
    const verdict = (change: object) => async () =>
      ({ ok: true, txid: signed.txid, checks: [], ...change }) as never;
    await expect(preflightTransaction(signed, verdict({}))).resolves.toBeDefined();
    await expect(preflightTransaction(signed, verdict({ txid: '00' }))).rejects.toThrow(
      refusal('preflight_failed'),
    );
    await expect(preflightTransaction(signed, verdict({ ok: false }))).rejects.toThrow(
      refusal('preflight_failed'),
    );
    const reads = { ...wallet.chain.reads, broadcast: async () => ({ txid: '00'.repeat(32) }) };
    await expect(sendTransaction(reads, signed)).rejects.toThrow(refusal('broadcast_mismatch'));
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
