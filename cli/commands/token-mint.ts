import { formatAmount } from '@coinfront/protocol/amount.ts';
import { planTokenMint } from '@coinfront/sdk/wallet/plan-tokens.ts';
import { defineCommand } from '../shell/command.ts';
import { chooseIssuer } from '../wallet/choose-holder.ts';
import { findRecipient, showRecipient } from '../wallet/find-recipient.ts';
import { findToken, readTokenAmount, showTokenAmount } from '../wallet/find-token.ts';
import { openPurse } from '../wallet/open-purse.ts';
import { spendOptions } from '../wallet/spend.ts';
import { spendToken } from '../wallet/spend-token.ts';

export const tokenMintCommand = defineCommand({
  name: 'token mint',
  summary: 'mint more of a token that the wallet issued',
  args: [
    { name: 'token', summary: 'its id, or its ticker' },
    { name: 'amount', summary: 'how much; can be 0 with --close' },
  ],
  options: {
    to: { value: '<address>', summary: 'receiver, an address or a name (default: the issuer)' },
    close: { summary: 'end minting for good' },
    ...spendOptions,
  },
  async run(context, { args, options }) {
    const purse = await openPurse(context);
    const { network } = purse.file.watch;
    const token = await findToken(args.token, purse);
    const issuer = chooseIssuer(purse, token);
    const amount = readTokenAmount(args.amount, token);
    const recipient = await findRecipient(options.to ?? issuer.address, network, purse.session);
    const closes = options.close === true;
    const plan = planTokenMint({
      tokenId: token.tokenId,
      amount,
      to: recipient.address,
      closes,
      issuer,
      network,
    });
    const intro = [
      `You mint ${showTokenAmount(amount, token)} (${token.tokenId}) for ${showRecipient(recipient)}`,
      ...(closes ? ['and close its minting for good'] : []),
    ];
    const facts = {
      token_id: token.tokenId,
      amount: formatAmount(amount, token.terms.decimals),
      to: recipient.address,
      closes,
    };
    return (await spendToken(context, purse, { plan, intro, facts }, options)).outcome;
  },
});
