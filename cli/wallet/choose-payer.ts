import type { WalletScan } from '@coinfront/sdk/wallet/scan-accounts.ts';
import type { WalletAddress } from '@coinfront/sdk/wallet/wallet-address.ts';
import { CliError, misuse } from '../shell/cli-error.ts';

/**
 * The address that sends an operation: the one that was named, or the one with the largest confirmed coin.
 *
 * @throws CliError `misused` for an address that the wallet never used, `sender_without_coins`
 */
export function choosePayer({ used, coins }: WalletScan, address: string | undefined): WalletAddress {
  if (address !== undefined) {
    const own = used.find((each) => each.address === address);
    if (own !== undefined) return own;
    throw misuse(`${address} is no used address of this wallet.`);
  }
  const [largest] = coins
    .filter(({ spendable, height }) => spendable && height !== undefined)
    .sort((a, b) => (a.value > b.value ? -1 : 1));
  if (largest !== undefined) return largest.owner;
  throw new CliError('sender_without_coins', 'The wallet has no confirmed coins to pay with.');
}
