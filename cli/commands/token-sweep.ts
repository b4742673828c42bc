import { planTokenSweep } from '@coinfront/sdk/wallet/plan-tokens.ts';
import { defineCommand } from '../shell/command.ts';
import { chooseSwept } from '../wallet/choose-swept.ts';
import { describeToken } from '../wallet/find-holdings.ts';
import { findRecipient, showRecipient } from '../wallet/find-recipient.ts';
import { openPurse } from '../wallet/open-purse.ts';
import { spendOptions } from '../wallet/spend.ts';
import { spendToken } from '../wallet/spend-token.ts';

export const tokenSweepCommand = defineCommand({
  name: 'token sweep',
  summary: 'move all tokens of an address of the wallet to another address',
  details: `One transaction moves the tokens of one address, 32 at most, the oldest first; of more another one moves the next. Which tokens these are
the chain decides when it is mined. The coins of the address stay.`,
  args: [{ name: 'to', summary: 'an address or a name' }],
  options: {
    from: { value: '<address>', summary: 'the address of the wallet whose tokens are moved' },
    ...spendOptions,
  },
  async run(context, { args, options }) {
    const purse = await openPurse(context);
    const { network } = purse.file.watch;
    const { holder, moved, stays } = chooseSwept(purse, options.from);
    const recipient = await findRecipient(args.to, network, purse.session);
    const plan = planTokenSweep({ to: recipient.address, holder, network });
    const tokens = moved.map(describeToken);
    const intro = [
      `You move all tokens of ${holder.address} to ${showRecipient(recipient)}; these, as the service lists them:`,
      ...tokens.map(({ balance, ticker, token_id }) => `  ${balance} ${ticker} (${token_id})`),
      ...(stays === 0 ? [] : [`  ${stays} more tokens stay: sweep again for the next`]),
    ];
    const facts = {
      from: holder.address,
      to: recipient.address,
      moves: tokens.map(({ token_id, ticker, balance }) => ({ token_id, ticker, amount: balance })),
      leaves_more: stays > 0,
    };
    return (await spendToken(context, purse, { plan, intro, facts }, options)).outcome;
  },
});
