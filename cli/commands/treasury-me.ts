import { readContributor } from '@coinfront/sdk/treasury/read-contributor.ts';
import { loadWallet } from '../keystore/open-wallet-file.ts';
import { connectWallet } from '../service/connect.ts';
import { followKnownTreasury } from '../service/follow-treasury.ts';
import { defineCommand } from '../shell/command.ts';
import { identityOption, readContributorSecret } from '../wallet/contributor.ts';

export const treasuryMeCommand = defineCommand({
  name: 'treasury me',
  summary: 'show what the wallet has contributed',
  args: [],
  options: { identity: identityOption },
  async run(context, { options }) {
    const file = await loadWallet(context);
    const connection = await connectWallet(context, file);
    const { client } = connection;
    await followKnownTreasury(context, connection);
    const contributor_secret = await readContributorSecret(context, file, options.identity);
    const me = await readContributor(client, { contributor_secret });
    const { ticker } = file.watch.network;
    return {
      json: me,
      lines: [
        `${me.id}${me.nickname === null ? '' : `, ${me.nickname}`}${me.public_display ? '' : ' (not shown)'}`,
        `verified    ${me.verified_total} ${ticker}`,
        `confirming  ${me.confirming_total} ${ticker}`,
        ...me.contributions.map(
          ({ amount, txid, confirmations }) => `  ${amount} by ${txid}, ${confirmations} confirmations`,
        ),
      ],
    };
  },
});
