import { updateContributor } from '@coinfront/sdk/treasury/update-contributor.ts';
import { loadWallet } from '../keystore/open-wallet-file.ts';
import { connectWallet } from '../service/connect.ts';
import { misuse } from '../shell/cli-error.ts';
import { defineCommand } from '../shell/command.ts';
import { identityOption, readContributorSecret } from '../wallet/contributor.ts';

export const treasuryProfileCommand = defineCommand({
  name: 'treasury profile',
  summary: 'change the nickname, and whether it is public',
  args: [],
  options: {
    nickname: { value: '<name>', summary: 'the new one; "" removes it' },
    public: { summary: 'show nickname and id in public' },
    private: { summary: 'show "Anonymous"' },
    identity: identityOption,
  },
  async run(context, { options }) {
    if (options.public && options.private) throw misuse('Either --public or --private.');
    const file = await loadWallet(context);
    const { client } = await connectWallet(context, file);
    const contributor_secret = await readContributorSecret(context, file, options.identity);
    const profile = await updateContributor(client, {
      contributor_secret,
      nickname: options.nickname === '' ? null : options.nickname,
      public_display: options.public ? true : options.private ? false : undefined,
    });
    return {
      json: profile,
      lines: [
        `${profile.id}: ${profile.nickname ?? 'no nickname'}, ${profile.public_display ? 'shown' : 'not shown'}`,
      ],
    };
  },
});
