import { getFees } from '@coinfront/sdk/chain/get-fees.ts';
import { getStatus } from '@coinfront/sdk/chain/get-status.ts';
import { checkNetwork } from '@coinfront/sdk/wallet/network.ts';
import { findWalletPath } from '../keystore/read-wallet-json.ts';
import { readWalletFile, type WalletFile } from '../keystore/wallet-file.ts';
import { connect } from '../service/connect.ts';
import { CliError } from '../shell/cli-error.ts';
import { defineCommand } from '../shell/command.ts';

export const statusCommand = defineCommand({
  name: 'status',
  summary: 'show wallet and service, and whether they match',
  args: [],
  options: {},
  async run(context) {
    const path = findWalletPath(context);
    const file = await readWalletFile(path).catch((error: unknown) => {
      if (error instanceof CliError && error.code === 'wallet_missing') return undefined;
      throw error;
    });
    const session = await connect(context, file?.service);
    if (file !== undefined) checkNetwork(file.watch.network, session.config);
    const { index, mempool, node } = await getStatus(session.client);
    const { minimum, estimates } = await getFees(session.client);
    const { name, chain, ticker, genesis_hash } = session.config;
    const soon = estimates[0];
    const lag =
      index.lag_blocks === null ? 'its node does not answer' : `${index.lag_blocks} blocks behind its node`;
    return {
      json: {
        wallet: file === undefined ? null : { path, ...describeWallet(file) },
        service: session.service,
        coin: name,
        chain,
        ticker,
        genesis_hash,
        height: index.height,
        tip: index.tip,
        lag_blocks: index.lag_blocks,
        node_available: node.available,
        mempool_transactions: mempool.tx_count,
        fee_per_kvb: { minimum: minimum.per_kvb, soon: soon?.per_kvb ?? null },
      },
      lines: [
        file === undefined
          ? `wallet    none at ${path}`
          : `wallet    ${path}${file.secret ? '' : ' (only watches)'}`,
        `service   ${session.service}`,
        `coin      ${name} (${chain}), genesis ${genesis_hash}`,
        `tip       ${index.height} ${index.tip}, ${lag}`,
        `mempool   ${mempool.tx_count} transactions`,
        `fee       ${soon?.per_kvb ?? minimum.per_kvb} ${ticker} for 1,000 vB soon, at least ${minimum.per_kvb}`,
      ],
    };
  },
});

function describeWallet({ watch, secret }: WalletFile) {
  return {
    fingerprint: watch.fingerprint.toString(16).padStart(8, '0'),
    watch_only: secret === undefined,
    accounts: watch.accounts.map(({ kind, path }) => ({ kind, path })),
  };
}
