import { describeScan, scanAccounts, type WalletScan } from '@coinfront/sdk/wallet/scan-accounts.ts';
import { WalletError } from '@coinfront/sdk/wallet/wallet-error.ts';
import type { WatchWallet } from '@coinfront/sdk/wallet/watch-wallet.ts';
import { writeCache } from '../cache/cache-file.ts';
import { describeOwner, findKnown, type Known } from '../cache/find-unchanged.ts';
import type { Session } from '../service/connect.ts';
import type { Context } from '../shell/context.ts';
import { createProgress } from '../shell/progress.ts';
import { readGapLimit } from './gap-limit.ts';

/** Finds what the wallet has. Where nothing changed since it was last found, that is what it has. */
export async function scanWallet(
  context: Context,
  watch: WatchWallet,
  session: Session,
): Promise<WalletScan> {
  const known = await findKnown(context, { watch }, session);
  const unchanged = known?.isCurrent ? describeKnown(watch, known) : undefined;
  return unchanged ?? (await lookAtWallet(context, watch, session, known));
}

/** Asks for all addresses, tells how far it is, and keeps what was found: what is spent is never taken from a cache. */
export async function lookAtWallet(
  context: Context,
  watch: WatchWallet,
  session: Session,
  known: Known | undefined,
): Promise<WalletScan> {
  const progress = createProgress(context.terminal);
  try {
    const scan = await scanAccounts(watch, session.reads, {
      signal: context.signal,
      gapLimit: readGapLimit(context),
      onProgress: ({ scanned, used }) => progress.show(`${scanned} addresses looked at, ${used} used …`),
      known: known?.memory,
    });
    if (scan.memory.state !== undefined)
      await writeCache(describeOwner(context, { watch }, session), scan.memory);
    return scan;
  } finally {
    progress.end();
  }
}

/** Undefined where the cache holds what no service could have said. */
function describeKnown(watch: WatchWallet, { memory }: Known): WalletScan | undefined {
  try {
    return describeScan(watch, memory);
  } catch (error) {
    if (error instanceof WalletError || error instanceof TypeError) return undefined;
    throw error;
  }
}
