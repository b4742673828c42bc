import { walletLimits } from '@coinfront/api/chain-wallets.ts';
import { sha256 } from '@coinfront/protocol/hash.ts';
import type { ChainView, ScriptReads, ScriptStats } from '../../../chain/chain-view.ts';
import { AppError } from '../../../errors.ts';
import type { GiveWay } from '../../../http/slices.ts';
import type { WalletBranch, WalletScripts } from '../../../wallets/wallet-scripts.ts';

/** A script of a wallet that the chain or the mempool has seen. */
export type UsedScript = {
  readonly index: number;
  readonly script: Uint8Array;
  readonly reads: ScriptReads;
  readonly confirmed: ScriptStats;
  readonly mempool: ScriptStats;
};

/** A chain of a wallet as far as it was used. */
export type ScannedBranch = {
  readonly path: string;
  readonly used: readonly UsedScript[];
  /** The first script behind the last used one. */
  readonly next: { readonly index: number; readonly script: Uint8Array };
};

export type ScannedWallet = { readonly branches: readonly ScannedBranch[] };

/**
 * Finds the scripts of a wallet that were used: each chain up to so many unused ones in a row (BIP-44). Nothing of it is kept.
 *
 * @param giveWay is awaited before each address
 * @throws AppError `wallet_too_large`
 */
export async function scanWallet(
  view: ChainView,
  { branches }: WalletScripts,
  gapLimit: number,
  giveWay: GiveWay,
): Promise<ScannedWallet> {
  const scanned: ScannedBranch[] = [];
  for (const branch of branches) scanned.push(await scanBranch(view, branch, gapLimit, giveWay));
  return { branches: scanned };
}

async function scanBranch(
  view: ChainView,
  { path, scriptAt }: WalletBranch,
  gapLimit: number,
  giveWay: GiveWay,
): Promise<ScannedBranch> {
  const used: UsedScript[] = [];
  let next: ScannedBranch['next'] | undefined;
  let index = 0;
  for (let unused = 0; unused < gapLimit; index++) {
    if (index === walletLimits.addresses) throw tooLarge(path);
    await giveWay();
    const script = scriptAt(index);
    const reads = view.ofScript(sha256(script));
    const confirmed = await reads.getStats();
    const mempool = await reads.getMempoolStats();
    if (confirmed.txCount === 0 && mempool.txCount === 0) {
      next ??= { index, script };
      unused += 1;
    } else {
      used.push({ index, script, reads, confirmed, mempool });
      next = undefined;
      unused = 0;
    }
  }
  return { path, used, next: next! };
}

function tooLarge(path: string): AppError {
  const detail =
    `The chain ${path} of this wallet goes beyond its first ${walletLimits.addresses} addresses, which is as many as are looked ` +
    'at. Derive its addresses yourself and ask for them by /batch.';
  return new AppError('wallet_too_large', detail);
}
