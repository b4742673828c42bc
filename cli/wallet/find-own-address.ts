import type { WalletAddress } from '@coinfront/sdk/wallet/wallet-address.ts';
import { deriveAddress, type WatchWallet } from '@coinfront/sdk/wallet/watch-wallet.ts';
import { CliError } from '../shell/cli-error.ts';

/** Addresses of each chain that are compared unless told otherwise: a second or two at most. */
export const usualSearch = 200;

/**
 * Which address of the wallet a text is, without asking anybody.
 *
 * @throws CliError `address_foreign`
 */
export function findOwnAddress(watch: WatchWallet, address: string, searched = usualSearch): WalletAddress {
  for (let index = 0; index < searched; index += 1) {
    for (const { kind } of watch.accounts) {
      for (const chain of [0, 1] as const) {
        const own = deriveAddress(watch, { kind, chain, index });
        if (own.address === address) return own;
      }
    }
  }
  const detail = `${address} is none of the first ${searched} addresses of each account of this wallet: --search looks further.`;
  throw new CliError('address_foreign', detail);
}
