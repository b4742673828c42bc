import { scanAccounts, type WalletScan } from '@coinfront/sdk/wallet/scan-accounts.ts';
import type { WatchWallet } from '@coinfront/sdk/wallet/watch-wallet.ts';
import type { Session } from '../service/connect.ts';
import type { Context } from '../shell/context.ts';
import { createProgress } from '../shell/progress.ts';

/** Finds what the wallet has, and tells how far it is. */
export async function scanWallet(
  { terminal, signal }: Context,
  watch: WatchWallet,
  { reads }: Session,
): Promise<WalletScan> {
  const progress = createProgress(terminal);
  try {
    return await scanAccounts(watch, reads, {
      signal,
      onProgress: ({ scanned, used }) => progress.show(`${scanned} addresses looked at, ${used} used …`),
    });
  } finally {
    progress.end();
  }
}
