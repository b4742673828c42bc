import { verifyContribution } from '@coinfront/sdk/treasury/verify-contribution.ts';
import { loadWallet } from '../keystore/open-wallet-file.ts';
import { connectWallet } from '../service/connect.ts';
import { followKnownTreasury } from '../service/follow-treasury.ts';
import { defineCommand } from '../shell/command.ts';

export const treasuryVerifyCommand = defineCommand({
  name: 'treasury verify',
  summary: 'check whether a transaction is credited to its intent',
  args: [
    { name: 'intent', summary: 'VI-…' },
    { name: 'txid', summary: 'the transaction' },
  ],
  options: {},
  async run(context, { args: { intent, txid } }) {
    const connection = await connectWallet(context, await loadWallet(context));
    const { client } = connection;
    await followKnownTreasury(context, connection);
    const verdict = await verifyContribution(client, { intent_id: intent, txid });
    const { state, amount, confirmations, confirmations_required } = verdict;
    return {
      json: verdict,
      lines: [`${state}: ${amount}, ${confirmations} of ${confirmations_required} confirmations`],
    };
  },
});
