import { regtest } from '@coinfront/protocol/testing/profiles.ts';
import { chooseFeeRate } from '@coinfront/sdk/wallet/fee-policy.ts';
import { quoteName, readNameSyntax } from '@coinfront/sdk/wallet/name-quote.ts';
import { readNetwork } from '@coinfront/sdk/wallet/network.ts';
import { planContribution } from '@coinfront/sdk/wallet/plan-contribution.ts';
import { fetchTransaction } from '@coinfront/sdk/wallet/previous-transactions.ts';
import { readPaymentRequest } from '@coinfront/sdk/wallet/read-payment-request.ts';
import { createFakeWallet, STRANGER } from '@coinfront/sdk/wallet/testing/fake-wallet.ts';
import { configOf, regtestNetwork } from '@coinfront/sdk/wallet/testing/networks.ts';
import { WalletError } from '@coinfront/sdk/wallet/wallet-error.ts';
import { deriveAddress, exportWatchOnly, importWatchOnly } from '@coinfront/sdk/wallet/watch-wallet.ts';
import { demand, type FuzzTarget, toText, utf8 } from '../target.ts';

const COIN = 100_000_000n;
const PAYMENT = 'VP-000000000000';
const network = regtestNetwork;
const { watch } = createFakeWallet({ p2wpkh: [COIN] });

/** What a service answers to a wallet, as JSON: fees, a payment, what names cost, how to contribute; and a wallet's half in a file. */
export const walletAnswersTarget: FuzzTarget = {
  name: 'wallet-answers',
  reads: "a service's answers to a wallet of the SDK, and a watch-only wallet",
  form: 'text',
  replayed: 1_000,
  maxBytes: 3_000,
  seeds: [
    {
      minimum: { per_kvb: '0.00001000' },
      estimates: [
        { target_blocks: 1, per_kvb: '0.00010000' },
        { target_blocks: 6, per_kvb: '0.00002000' },
      ],
    },
    {
      id: PAYMENT,
      status: 'open',
      accepted_at: null,
      address: STRANGER,
      remaining: '0.50000000',
      payment_uri: `${network.uriScheme}:${STRANGER}?amount=0.5`,
      description: 'x',
      expires_at: '2030-01-01T00:00:00Z',
    },
    {
      name: 'alice.coin',
      available: true,
      cost: { per_period: '1.00000000', premium: '0.00000000' },
      fee: { script: '51' },
      rules: { tlds: ['coin'], min_label_length: 3 },
    },
    { address: STRANGER, requested_amount: '1.00000000', exact_amount: '1.00000123', tag: null },
    { address: STRANGER, requested_amount: '1.00000000', exact_amount: null, tag: 'ab'.repeat(16) },
    configOf(regtest),
    exportWatchOnly(watch),
  ].map((value) => utf8(JSON.stringify(value))),
  words: ['null', '[]', '{}', '[null]', '"a"', '-1', '1e999', '0.5', 'true', '"1.00000000"'],
  async check(input) {
    const found = parse(toText(input));
    if (found === undefined) return;
    const json = found as never;
    const rate = await only(() => chooseFeeRate({ targetBlocks: 3 }, async () => json, network));
    demand(rate === undefined || rate > 0n, 'a rate is above zero');
    await only(() => readPaymentRequest(PAYMENT, network, async () => json));
    for (const kind of ['register', 'renew'] as const) {
      const cost = await only(() => quoteName(kind, json, json, network, { periods: 2, atMost: COIN }));
      demand(cost === undefined || cost.total <= COIN, 'a name costs no more than was allowed');
    }
    await only(() => readNameSyntax(json));
    const plan = await only(() => planContribution({ intent: json, amount: COIN, network }));
    demand(
      plan === undefined || plan.outputs[0]!.value < 2n * COIN,
      'a contribution is what was said, or a little more',
    );
    const { raw_tx } = found as { raw_tx: string };
    await only(() => fetchTransaction('ab'.repeat(32), { getRawTransaction: async () => raw_tx }));
    await only(() => readNetwork(json));
    const wallet = await only(() => importWatchOnly(json));
    if (wallet === undefined) return;
    for (const { kind } of wallet.accounts)
      await only(() => deriveAddress(wallet, { kind, chain: 0, index: 0 }));
    demand(
      (await only(() => importWatchOnly(exportWatchOnly(wallet)))) !== undefined,
      'a wallet that was read is written as one',
    );
  },
  growing: {
    estimates: (bytes) =>
      utf8(
        JSON.stringify({
          minimum: { per_kvb: '0.00001' },
          estimates: Array.from({ length: bytes / 50 }, (_, i) => ({
            target_blocks: i + 4,
            per_kvb: '0.0001',
          })),
        }),
      ),
    'a transaction': (bytes) => utf8(JSON.stringify({ raw_tx: '00'.repeat(bytes / 2) })),
    digits: (bytes) => utf8(JSON.stringify({ cost: { per_period: '1'.repeat(bytes) } })),
  },
};

/** An object or a list: of any other answer the client says that it is none. */
function parse(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Throws all but what callers are told of. */
async function only<T>(act: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof WalletError) return undefined;
    throw error;
  }
}
