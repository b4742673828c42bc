import { formatAmount } from '@coinfront/protocol/amount.ts';
import { planTokenBurn } from '@coinfront/sdk/wallet/plan-tokens.ts';
import { defineCommand } from '../shell/command.ts';
import { chooseHolder } from '../wallet/choose-holder.ts';
import { findToken, readTokenAmount, showTokenAmount } from '../wallet/find-token.ts';
import { openPurse } from '../wallet/open-purse.ts';
import { spendOptions } from '../wallet/spend.ts';
import { spendToken } from '../wallet/spend-token.ts';

export const tokenBurnCommand = defineCommand({
  name: 'token burn',
  summary: 'burn tokens of the wallet',
  args: [
    { name: 'token', summary: 'its id, or its ticker' },
    { name: 'amount', summary: 'how much' },
  ],
  options: {
    from: { value: '<address>', summary: 'the address of the wallet that has them' },
    ...spendOptions,
  },
  async run(context, { args, options }) {
    const purse = await openPurse(context);
    const token = await findToken(args.token, purse);
    const amount = readTokenAmount(args.amount, token);
    const holder = chooseHolder(purse, token, amount, options.from);
    const plan = planTokenBurn({ tokenId: token.tokenId, amount, holder });
    const intro = [
      `You destroy ${showTokenAmount(amount, token)} (${token.tokenId}) of ${holder.address}, for good`,
    ];
    const facts = {
      token_id: token.tokenId,
      amount: formatAmount(amount, token.terms.decimals),
      from: holder.address,
    };
    return (await spendToken(context, purse, { plan, intro, facts }, options)).outcome;
  },
});
