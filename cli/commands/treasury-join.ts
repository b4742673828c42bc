import { registerContributor } from '@coinfront/sdk/treasury/register-contributor.ts';
import { loadWallet } from '../keystore/open-wallet-file.ts';
import { connectWallet } from '../service/connect.ts';
import { defineCommand } from '../shell/command.ts';
import { confirm } from '../wallet/confirm.ts';
import { identityOption, readContributorSecret } from '../wallet/contributor.ts';

export const treasuryJoinCommand = defineCommand({
  name: 'treasury join',
  summary: 'join the treasury as a contributor, under a pseudonym',
  details:
    'The identity is derived from the wallet’s words: a restored wallet has the same one. Addresses are not revealed.',
  args: [],
  options: {
    nickname: { value: '<name>', summary: '2 to 24 letters and digits (default: none)' },
    public: { summary: 'show nickname and id in public (default: "Anonymous")' },
    identity: identityOption,
  },
  async run(context, { options }) {
    const file = await loadWallet(context);
    const session = await connectWallet(context, file);
    const { nickname } = options;
    const shown = options.public === true;
    await confirm(
      context,
      [
        `You join the treasury of ${session.service} as ${nickname ?? 'nobody in particular'}, ${shown ? 'in public' : 'unseen'}`,
      ],
      'Join?',
    );
    const contributor_secret = await readContributorSecret(context, file, options.identity);
    const made = await registerContributor(session.client, {
      nickname,
      public_display: shown,
      contributor_secret,
    });
    const { id, created_at } = made;
    return {
      json: { id, nickname: made.nickname, public_display: made.public_display, created_at },
      lines: [`You are ${id}${made.nickname === null ? '' : `, ${made.nickname}`}.`],
    };
  },
});
