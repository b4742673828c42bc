import { GAP_LIMIT, scanAccounts, type WalletScan } from '@coinfront/sdk/wallet/scan-accounts.ts';
import type { WatchWallet } from '@coinfront/sdk/wallet/watch-wallet.ts';
import type { Session } from '../service/connect.ts';
import type { Context } from '../shell/context.ts';
import { createProgress } from '../shell/progress.ts';
import { readWhole } from './amounts.ts';

/** Finds what the wallet has, and tells how far it is. */
export async function scanWallet(
  { terminal, signal, options }: Context,
  watch: WatchWallet,
  { reads }: Session,
): Promise<WalletScan> {
  const gapLimit = readWhole('--gap-limit', options['gap-limit'] ?? String(GAP_LIMIT), {
    min: GAP_LIMIT,
    max: 2_000,
  });
  const progress = createProgress(terminal);
  try {
    return await scanAccounts(watch, reads, {
      signal,
      gapLimit,
      onProgress: ({ scanned, used }) => progress.show(`${scanned} addresses looked at, ${used} used …`),
    });
  } finally {
    progress.end();
  }
}
