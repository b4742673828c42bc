import { formatAmount } from '@coinfront/protocol/amount.ts';
import { planTokenTransfer } from '@coinfront/sdk/wallet/plan-tokens.ts';
import { defineCommand } from '../shell/command.ts';
import { chooseHolder } from '../wallet/choose-holder.ts';
import { findRecipient, showRecipient } from '../wallet/find-recipient.ts';
import { findToken, readTokenAmount, showTokenAmount } from '../wallet/find-token.ts';
import { openPurse } from '../wallet/open-purse.ts';
import { spendOptions } from '../wallet/spend.ts';
import { spendToken } from '../wallet/spend-token.ts';

export const tokenTransferCommand = defineCommand({
  name: 'token transfer',
  summary: 'send tokens to an address or a name',
  args: [
    { name: 'token', summary: 'its id, or its ticker' },
    { name: 'to', summary: 'an address or a name' },
    { name: 'amount', summary: 'how much' },
  ],
  options: {
    from: { value: '<address>', summary: 'the address of the wallet that sends them' },
    ...spendOptions,
  },
  async run(context, { args, options }) {
    const purse = await openPurse(context);
    const { network } = purse.file.watch;
    const token = await findToken(args.token, purse);
    const amount = readTokenAmount(args.amount, token);
    const holder = chooseHolder(purse, token, amount, options.from);
    const recipient = await findRecipient(args.to, network, purse.session);
    const plan = planTokenTransfer({
      tokenId: token.tokenId,
      recipients: [{ to: recipient.address, amount }],
      holder,
      network,
    });
    const intro = [
      `You send ${showTokenAmount(amount, token)} (${token.tokenId}) of ${holder.address} to ${showRecipient(recipient)}`,
    ];
    const facts = {
      token_id: token.tokenId,
      amount: formatAmount(amount, token.terms.decimals),
      from: holder.address,
      to: recipient.address,
    };
    return (await spendToken(context, purse, { plan, intro, facts }, options)).outcome;
  },
});
