import { getToken } from '@coinfront/sdk/tokens/get-token.ts';
import { defineCommand } from '../shell/command.ts';
import { findTokenId } from '../wallet/find-token.ts';
import { openPurse } from '../wallet/open-purse.ts';

export const tokenShowCommand = defineCommand({
  name: 'token show',
  summary: 'show a token: its issuer and supply',
  args: [{ name: 'token', summary: 'its id, or a ticker that only one token has' }],
  options: {},
  async run(context, { args }) {
    const purse = await openPurse(context);
    const token_id = await findTokenId(args.token, purse);
    const { token } = await getToken(purse.session.client, { token_id });
    const { ticker, supply, issuer, created, holders, metadata } = token;
    const open = supply.mintable === null ? 'closed' : `open, ${supply.mintable} more`;
    return {
      json: token,
      lines: [
        `${ticker}  ${token_id}`,
        ...(metadata === null ? [] : [`  name         ${metadata.name} (reviewed)`]),
        `  issuer       ${issuer.address ?? issuer.script}`,
        `  circulating  ${supply.circulating} of ${supply.minted} minted, ${supply.burned} burned`,
        `  minting      ${open}`,
        `  holders      ${holders}`,
        `  created      block ${created.height}, ${created.txid}`,
      ],
    };
  },
});
