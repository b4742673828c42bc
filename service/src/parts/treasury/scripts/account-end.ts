/** How far the addresses of the treasury's account are followed, and whether it is near the end of that. */

import { bytesToHex } from '@coinfront/protocol/bytes.ts';
import type { CoinProfile, TreasuryProfile } from '@coinfront/protocol/profile.ts';
import { readWalletScripts } from '../../../wallets/wallet-scripts.ts';

/** Addresses of each branch. Each that is used costs some reads a block. */
export const MOST_INDEXES = 5_000;
/** The last ones: when one of them is used, it is time to say so. */
const LAST = 100;

/**
 * Whether one of the last addresses that are followed is used; what comes behind them is taken for spent.
 *
 * @param used scripts that the ledger covers, hex
 */
export type IsNearEnd = (used: readonly string[]) => boolean;

/** Opens the check. It derives once, and only for a wallet that may have come so far. */
export function createIsNearEnd(profile: CoinProfile, treasury: TreasuryProfile | undefined): IsNearEnd {
  const { account } = treasury ?? {};
  if (account === undefined) return () => false;
  let last: Set<string> | undefined;
  return (used) => {
    // Two that are used are less than a gap apart.
    if (used.length < Math.floor((MOST_INDEXES - LAST) / account.gapLimit)) return false;
    last ??= deriveLast(account.key, profile);
    return used.some((script) => last!.has(script));
  };
}

function deriveLast(key: string, profile: CoinProfile): Set<string> {
  const wallet = readWalletScripts(key, undefined, profile);
  const branches = wallet.ok ? wallet.value.branches : [];
  return new Set(
    branches.flatMap((branch) =>
      Array.from({ length: LAST }, (_, i) => bytesToHex(branch.scriptAt(MOST_INDEXES - LAST + i))),
    ),
  );
}
