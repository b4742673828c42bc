import { MAX_SWEPT } from '@coinfront/protocol/tokens/token-sweep.ts';
import type { WalletToken } from '@coinfront/sdk/wallet/list-holdings.ts';
import type { WalletAddress } from '@coinfront/sdk/wallet/wallet-address.ts';
import { CliError, misuse } from '../shell/cli-error.ts';
import type { Purse } from './spend.ts';

/** What a sweep moves, as the service lists it, and how many tokens are behind those. */
export type Swept = { holder: WalletAddress; moved: readonly WalletToken[]; stays: number };

/**
 * The address whose tokens are moved: the one that was named, or the only one that has any.
 *
 * @throws CliError `tokens_missing`, `misused`
 */
export function chooseSwept({ tokens }: Purse, from: string | undefined): Swept {
  const held = tokens.filter(
    ({ balance, holder }) => /[1-9]/.test(balance) && (from === undefined || holder.address === from),
  );
  const [first] = held;
  if (first === undefined) {
    const whose = from === undefined ? 'The wallet' : `${from} of the wallet`;
    throw new CliError('tokens_missing', `${whose} has no tokens.`);
  }
  const addresses = [...new Set(held.map(({ holder }) => holder.address))];
  if (addresses.length > 1)
    throw misuse(`Several addresses have tokens: name one with --from, of ${addresses.join(', ')}.`);
  return {
    holder: first.holder,
    moved: held.slice(0, MAX_SWEPT),
    stays: Math.max(0, held.length - MAX_SWEPT),
  };
}
