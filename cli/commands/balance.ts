import { formatAmount } from '@coinfront/protocol/amount.ts';
import { addressPath } from '@coinfront/sdk/wallet/wallet-address.ts';
import { getBalance } from '@coinfront/sdk/wallet/wallet-balance.ts';
import { loadWallet } from '../keystore/open-wallet-file.ts';
import { connectWallet } from '../service/connect.ts';
import { defineCommand } from '../shell/command.ts';
import { showCoins } from '../wallet/amounts.ts';
import { scanWallet } from '../wallet/scan-wallet.ts';

export const balanceCommand = defineCommand({
  name: 'balance',
  summary: 'what the wallet has',
  details: `spendable: pays now. locked: coinbases that are not mature, and what transactions on their way spend. pending: what the
mempool changes. total: what is left once it is mined.`,
  args: [],
  options: { addresses: { summary: 'also of each address that has coins' } },
  async run(context, { options }) {
    const file = await loadWallet(context);
    const { network } = file.watch;
    const scan = await scanWallet(context, file.watch, await connectWallet(context, file));
    const { confirmed, pending, total, spendable, locked } = getBalance(scan);
    const format = (value: bigint) => formatAmount(value, network.decimals);
    const owners = new Map(scan.coins.map(({ owner }) => [owner.address, owner]));
    const addresses = [...owners.values()].map((owner) => ({
      address: owner.address,
      path: addressPath(owner, network),
      balance: scan.coins
        .filter((coin) => coin.owner.address === owner.address && !coin.spentInMempool)
        .reduce((sum, { value }) => sum + value, 0n),
    }));
    const rows: [string, bigint][] = [
      ['spendable', spendable],
      ['locked', locked],
      ['pending', pending],
      ['total', total],
    ];
    const shown = rows.filter(([name, value]) => value !== 0n || name === 'spendable' || name === 'total');
    return {
      json: {
        ticker: network.ticker,
        spendable: format(spendable),
        locked: format(locked),
        confirmed: format(confirmed),
        pending: format(pending),
        total: format(total),
        coins: scan.coins.length,
        addresses: addresses.map((each) => ({ ...each, balance: format(each.balance) })),
      },
      lines: [
        ...shown.map(([name, value]) => `${name.padEnd(10)} ${showCoins(value, network)}`),
        ...(options.addresses
          ? [
              '',
              ...addresses.map(
                ({ address, path, balance }) => `${address}  ${path}  ${showCoins(balance, network)}`,
              ),
            ]
          : []),
      ],
    };
  },
});
