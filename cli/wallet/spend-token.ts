import { preflightToken } from '@coinfront/sdk/tokens/preflight-token.ts';
import { preflightTransaction } from '@coinfront/sdk/wallet/preflight-transaction.ts';
import type { Context } from '../shell/context.ts';
import { type Purse, type Spending, type SpendOptions, type Spent, spend } from './spend.ts';

/** Spends as {@link spend} does; the signed transaction has to pass the token rules before it is sent. */
export function spendToken(
  context: Context,
  purse: Purse,
  spending: Spending,
  options: SpendOptions,
): Promise<Spent> {
  const { client } = purse.session;
  const check: Spending['check'] = (signed) =>
    preflightTransaction(signed, (raw_tx) => preflightToken(client, { raw_tx }));
  return spend(context, purse, { ...spending, check }, options);
}
