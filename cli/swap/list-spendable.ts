import type { WalletCoin } from '@coinfront/sdk/wallet/wallet-coin.ts';
import type { Purse } from '../wallet/spend.ts';

/** Coins that may be spent for others: one of each address with names or tokens stays, since only its own coins move these. */
export function listSpendable({ scan, names, tokens }: Purse): WalletCoin[] {
  const keep = new Set([
    ...names.map(({ owner }) => owner.address),
    ...tokens.map(({ holder }) => holder.address),
  ]);
  const smallest = new Map<string, WalletCoin>();
  for (const coin of scan.coins) {
    const { address } = coin.owner;
    const known = smallest.get(address);
    if (keep.has(address) && (known === undefined || coin.value < known.value)) smallest.set(address, coin);
  }
  const kept = new Set(smallest.values());
  return scan.coins.filter((coin) => !kept.has(coin));
}
