import { parseAmount } from '@coinfront/protocol/amount.ts';
import type { WalletToken } from '@coinfront/sdk/wallet/list-holdings.ts';
import type { WalletAddress } from '@coinfront/sdk/wallet/wallet-address.ts';
import { CliError } from '../shell/cli-error.ts';
import { type ProvenToken, showTokenAmount } from './find-token.ts';
import type { Purse } from './spend.ts';

/**
 * The address that sends tokens: the one that was named, or the one that has enough of them and a coin to pay with. One
 * transaction moves the tokens of one address.
 *
 * @throws CliError `tokens_missing`
 */
export function chooseHolder(
  purse: Purse,
  token: ProvenToken,
  amount: bigint,
  from: string | undefined,
): WalletAddress {
  const held = purse.tokens.filter(
    ({ token_id, holder }) => token_id === token.tokenId && (from === undefined || holder.address === from),
  );
  const able = held.filter((each) => balanceOf(each) >= amount);
  const hasCoins = ({ holder }: WalletToken) =>
    purse.scan.coins.some(({ owner, spentInMempool }) => owner.address === holder.address && !spentInMempool);
  const chosen = able.find(hasCoins) ?? able[0];
  if (chosen !== undefined) return chosen.holder;
  const all = held.reduce((sum, each) => sum + balanceOf(each), 0n);
  const parts =
    held.length > 1 && all >= amount
      ? `, but on ${held.length} addresses: send them one by one with --from`
      : '';
  const detail = `The wallet has ${showTokenAmount(all, token)}${parts}; ${showTokenAmount(amount, token)} are needed.`;
  throw new CliError('tokens_missing', detail);
}

/**
 * The address that issued a token.
 *
 * @throws CliError `not_issuer`
 */
export function chooseIssuer({ tokens }: Purse, { tokenId, terms }: ProvenToken): WalletAddress {
  const issued = tokens.find(({ token_id, is_issuer }) => token_id === tokenId && is_issuer);
  if (issued !== undefined) return issued.holder;
  throw new CliError('not_issuer', `This wallet did not issue ${terms.ticker} ${tokenId}.`);
}

function balanceOf({ balance, decimals, ticker }: WalletToken): bigint {
  const amount = parseAmount(balance, decimals);
  if (amount.ok) return amount.value;
  throw new CliError('answer_invalid', `The service's balance of ${ticker} is no amount: ${amount.reason}.`);
}
