import { formatAmount } from '@coinfront/protocol/amount.ts';
import { createIntent } from '@coinfront/sdk/treasury/create-intent.ts';
import { planContribution } from '@coinfront/sdk/wallet/plan-contribution.ts';
import { unlockWallet } from '../keystore/open-wallet-file.ts';
import { followKnownTreasury } from '../service/follow-treasury.ts';
import { defineCommand } from '../shell/command.ts';
import { readCoins, showCoins } from '../wallet/amounts.ts';
import { contributorSecretOf, identityOption } from '../wallet/contributor.ts';
import { openPurse } from '../wallet/open-purse.ts';
import { spend, spendOptions } from '../wallet/spend.ts';

export const treasuryContributeCommand = defineCommand({
  name: 'treasury contribute',
  summary: 'contribute coins to the treasury under the wallet’s pseudonym',
  details: `A tag in the transaction identifies the contributor, so raising the fee keeps the credit. Join first with "coin treasury join". It is
credited after enough confirmations: coin treasury verify.`,
  args: [{ name: 'amount', summary: 'how much' }],
  options: { identity: identityOption, ...spendOptions },
  async run(context, { args, options }) {
    const purse = await openPurse(context);
    const { file, session } = purse;
    const { network } = file.watch;
    const amount = readCoins(args.amount, network);
    await followKnownTreasury(context, session);
    // The intent needs one secret of the wallet, the transaction its keys: the passphrase is asked for once.
    const keys = await unlockWallet(context, file);
    try {
      const intent = await createIntent(session.client, {
        contributor_secret: contributorSecretOf(keys, options.identity),
        amount: formatAmount(amount, network.decimals),
        method: 'carrier',
      });
      const plan = planContribution({ intent, amount, network });
      const intro = [`You give ${showCoins(amount, network)} to the treasury at ${intent.address}`];
      const facts = {
        intent_id: intent.id,
        address: intent.address,
        amount: formatAmount(amount, network.decimals),
      };
      const { txid, outcome } = await spend(context, purse, { plan, intro, facts, keys }, options);
      if (txid === undefined) return outcome;
      const next = `Credited after ${intent.confirmations_required} confirmations: coin treasury verify ${intent.id} ${txid}`;
      return { ...outcome, lines: [...outcome.lines, next] };
    } finally {
      keys.wipe();
    }
  },
});
