import { defineCommand } from '../shell/command.ts';
import { describeToken } from '../wallet/find-holdings.ts';
import { openPurse } from '../wallet/open-purse.ts';

export const tokenListCommand = defineCommand({
  name: 'token list',
  summary: 'list tokens of the wallet by address',
  args: [],
  options: {},
  async run(context) {
    const tokens = (await openPurse(context)).tokens.map(describeToken);
    return {
      json: { items: tokens },
      lines:
        tokens.length === 0
          ? ['No tokens.']
          : tokens.map(
              ({ token_id, ticker, balance, is_issuer, holder }) =>
                `${balance.padStart(18)} ${ticker.padEnd(12)} ${token_id}  ${holder}${is_issuer ? '  (issuer)' : ''}`,
            ),
    };
  },
});
