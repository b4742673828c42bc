import { getStatus } from '@coinfront/sdk/chain/get-status.ts';
import type { Network } from '@coinfront/sdk/wallet/network.ts';
import type { SwapSide } from '@coinfront/sdk/wallet/swap/sign-swap.ts';
import { readSwapFunding } from '@coinfront/sdk/wallet/swap/swap-funding.ts';
import { swapEscrow } from '@coinfront/sdk/wallet/swap/swap-terms.ts';
import type { WalletKeys } from '@coinfront/sdk/wallet/wallet-keys.ts';
import type { WatchWallet } from '@coinfront/sdk/wallet/watch-wallet.ts';
import { unlockWallet } from '../keystore/open-wallet-file.ts';
import type { WalletFile } from '../keystore/wallet-file.ts';
import type { Session } from '../service/connect.ts';
import { CliError } from '../shell/cli-error.ts';
import type { Context } from '../shell/context.ts';
import { type KeptSwap, ownAddress, wholeTerms } from './swap-book.ts';

/** A swap as this wallet sees it, once there is a funding. @throws CliError `swap_not_ready` */
export function sideOf(kept: KeptSwap, watch: WatchWallet): SwapSide {
  const terms = wholeTerms(kept);
  if (kept.funding === undefined) throw new CliError('swap_not_ready', `Swap ${kept.id} has no funding yet.`);
  const { network } = watch;
  return {
    terms,
    funding: readSwapFunding(terms, kept.funding, network),
    network,
    own: ownAddress(kept, watch),
  };
}

/** The escrow's address. */
export function escrowOf(kept: KeptSwap, network: Network): string {
  return swapEscrow(wholeTerms(kept), network).address;
}

/** Uses the keys of the wallet, and forgets them. */
export async function withKeys<R>(
  context: Context,
  file: WalletFile,
  use: (keys: WalletKeys) => R,
): Promise<R> {
  const keys = await unlockWallet(context, file);
  try {
    return use(keys);
  } finally {
    keys.wipe();
  }
}

/** The height of the service's index. */
export async function findHeight({ client }: Session): Promise<number> {
  return (await getStatus(client)).index.height;
}
