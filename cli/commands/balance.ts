import { formatAmount } from '@coinfront/protocol/amount.ts';
import { type ReadMemory, readMemory } from '@coinfront/sdk/wallet/scan-memory.ts';
import { getBalance } from '@coinfront/sdk/wallet/wallet-balance.ts';
import { WalletError } from '@coinfront/sdk/wallet/wallet-error.ts';
import { findKnown } from '../cache/find-unchanged.ts';
import { findWalletPath, readWalletOutline, type WalletOutline } from '../keystore/read-wallet-json.ts';
import { type Connection, openWalletConnection } from '../service/open-connection.ts';
import { defineCommand } from '../shell/command.ts';
import type { Context } from '../shell/context.ts';
import { showCoins } from '../wallet/amounts.ts';

export const balanceCommand = defineCommand({
  name: 'balance',
  summary: 'show the balance',
  details: `spendable: can be spent now. locked: immature coinbases, and coins spent by unconfirmed transactions. pending: change by the
mempool. total: balance once everything is mined.`,
  args: [],
  options: { addresses: { summary: 'also list each address with coins' } },
  async run(context, { options }) {
    const outline = await readWalletOutline(findWalletPath(context));
    const { network } = outline.watch;
    const connection = await openWalletConnection(context, outline);
    const found = await findBalance(context, outline, connection);
    const coins = found.used.flatMap((each) => each.coins);
    const { confirmed, pending, total, spendable, locked } = getBalance({ ...found, coins });
    const format = (value: bigint) => formatAmount(value, network.decimals);
    const isShown = options.addresses === true || context.options.json === true;
    const addresses = isShown ? await listAddresses(context, found) : [];
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
        coins: coins.length,
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

/** What the wallet has. When nothing changed since it was last found, no address is derived: that takes longer than all else. */
async function findBalance(
  context: Context,
  outline: WalletOutline,
  connection: Connection,
): Promise<ReadMemory> {
  const { network } = outline.watch;
  const known = await findKnown(context, outline, connection);
  if (known?.isCurrent) {
    try {
      return readMemory(known.memory, network);
    } catch (error) {
      // The cache holds what no service could have said.
      if (!(error instanceof WalletError || error instanceof TypeError)) throw error;
    }
  }
  const { loadWallet } = await import('../keystore/open-wallet-file.ts');
  const { lookAtWallet } = await import('../wallet/scan-wallet.ts');
  const { addReads } = await import('../service/connect.ts');
  const { watch } = await loadWallet(context);
  const { memory } = await lookAtWallet(context, watch, addReads(connection), known);
  return readMemory(memory, network);
}

/** Addresses that have coins, derived from the wallet's accounts: none is ever shown from a cache. */
async function listAddresses(context: Context, { used }: ReadMemory) {
  const { loadWallet } = await import('../keystore/open-wallet-file.ts');
  const { deriveAddress } = await import('@coinfront/sdk/wallet/watch-wallet.ts');
  const { addressPath } = await import('@coinfront/sdk/wallet/wallet-address.ts');
  const { watch } = await loadWallet(context);
  return used
    .filter(({ coins }) => coins.length > 0)
    .map(({ coins, kind, chain, index }) => ({
      address: deriveAddress(watch, { kind, chain, index }).address,
      path: addressPath({ kind, chain, index }, watch.network),
      balance: coins
        .filter(({ spentInMempool }) => !spentInMempool)
        .reduce((sum, { value }) => sum + value, 0n),
    }));
}
