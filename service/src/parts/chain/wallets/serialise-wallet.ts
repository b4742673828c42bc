import type { WalletSummaryJson, WalletTotalsJson } from '@coinfront/api/chain-wallets.ts';
import { encodeAddress } from '@coinfront/protocol/address.ts';
import { formatAmount } from '@coinfront/protocol/amount.ts';
import type { CoinProfile } from '@coinfront/protocol/profile.ts';
import type { ScriptStats } from '../../../chain/chain-view.ts';
import type { ScannedBranch, ScannedWallet } from './scan-wallet.ts';

type Shown = Pick<WalletSummaryJson, 'balance' | 'confirmed' | 'mempool' | 'chains'>;

/** What is shown of a wallet that was looked through. */
export function serialiseWallet({ branches }: ScannedWallet, profile: CoinProfile): Shown {
  const used = branches.flatMap((branch) => branch.used);
  const confirmed = used.map((each) => each.confirmed);
  return {
    balance: formatAmount(sumOf(confirmed, balanceOf), profile.decimals),
    confirmed: serialiseTotals(confirmed, profile.decimals),
    mempool: serialiseTotals(
      used.map((each) => each.mempool),
      profile.decimals,
    ),
    chains: branches.map((branch) => serialiseBranch(branch, profile)),
  };
}

function serialiseBranch({ path, used, next }: ScannedBranch, profile: CoinProfile): Shown['chains'][number] {
  const pathOf = (index: number): string => path.replace('*', String(index));
  const addressOf = (script: Uint8Array): string => encodeAddress(script, profile) ?? '';
  return {
    path,
    used_count: used.length,
    next_unused: { address: addressOf(next.script), path: pathOf(next.index) },
    addresses: used.map(({ index, script, confirmed, mempool }) => ({
      address: addressOf(script),
      path: pathOf(index),
      balance: formatAmount(balanceOf(confirmed), profile.decimals),
      pending: formatAmount(balanceOf(mempool), profile.decimals),
      tx_count: confirmed.txCount + mempool.txCount,
    })),
  };
}

function serialiseTotals(all: readonly ScriptStats[], decimals: number): WalletTotalsJson {
  return {
    received_count: all.reduce((sum, { fundedCount }) => sum + fundedCount, 0),
    received: formatAmount(
      sumOf(all, ({ fundedSum }) => fundedSum),
      decimals,
    ),
    spent_count: all.reduce((sum, { spentCount }) => sum + spentCount, 0),
    spent: formatAmount(
      sumOf(all, ({ spentSum }) => spentSum),
      decimals,
    ),
    balance: formatAmount(sumOf(all, balanceOf), decimals),
  };
}

function balanceOf({ fundedSum, spentSum }: ScriptStats): bigint {
  return fundedSum - spentSum;
}

function sumOf(all: readonly ScriptStats[], pick: (stats: ScriptStats) => bigint): bigint {
  return all.reduce((sum, stats) => sum + pick(stats), 0n);
}
