import { regtest } from '@coinfront/protocol/testing/profiles.ts';
import { describe, expect, test } from 'vitest';
import { chooseFeeRate } from './fee-policy.ts';
import { readNetwork } from './network.ts';
import { planContribution } from './plan-contribution.ts';
import { readPaymentRequest } from './read-payment-request.ts';
import { createFakeWallet } from './testing/fake-wallet.ts';
import { configOf, regtestNetwork as network } from './testing/networks.ts';
import { exportWatchOnly, importWatchOnly } from './watch-wallet.ts';

const withCode = (code: string) => expect.objectContaining({ name: 'WalletError', code });

test('a watch-only wallet that was written is read as it was', () => {
  const { watch } = createFakeWallet({ p2wpkh: [1n] });
  expect(importWatchOnly(exportWatchOnly(watch))).toEqual(watch);
});

describe('an answer that has not the form that it should is told as such', () => {
  test.each([
    { estimates: [null], minimum: null },
    { estimates: {}, minimum: { per_kvb: '0.00001' } },
    { estimates: 'a', minimum: 1 },
  ])('fees: %j', async (fees) => {
    await expect(chooseFeeRate({ targetBlocks: 3 }, async () => fees as never, network)).rejects.toEqual(
      withCode('fee_unavailable'),
    );
  });

  test.each([null, 1, {}])('the address of a contribution: %j', (address) => {
    const intent = { address, requested_amount: '1', exact_amount: null, tag: null } as never;
    expect(() => planContribution({ intent, amount: 100_000_000n, network })).toThrow(
      withCode('address_invalid'),
    );
  });

  test('the address of a payment', async () => {
    const payment = { address: null } as never;
    await expect(readPaymentRequest('VP-000000000000', network, async () => payment)).rejects.toEqual(
      withCode('address_invalid'),
    );
  });

  test.each([
    { address: null },
    { address: [] },
    { uri_scheme: ['coin'] },
    { address: { ...configOf(regtest).address, bech32_hrp: ['rcrt'] } },
  ])('the parameters of a coin: %j', (changed) => {
    expect(() => readNetwork({ ...configOf(regtest), ...changed } as never)).toThrow(
      withCode('network_invalid'),
    );
  });

  test.each([null, { path: 'm' }])('an account of a watch-only wallet: %j', (account) => {
    const json = { ...exportWatchOnly(createFakeWallet({ p2wpkh: [1n] }).watch), accounts: [account] };
    expect(() => importWatchOnly(json as never)).toThrow(withCode('watch_only_invalid'));
  });

  test.each([{ address: null }, { decimals: 1e9 }, { dustLimit: 'x' }])(
    'the network of a watch-only wallet: %j',
    (changed) => {
      const json = exportWatchOnly(createFakeWallet({ p2wpkh: [1n] }).watch);
      const network = { ...json.network, ...changed };
      expect(() => importWatchOnly({ ...json, network } as never)).toThrow(withCode('watch_only_invalid'));
    },
  );
});
