import { formatAmount } from '@coinfront/protocol/amount.ts';
import { bumpFee } from '@coinfront/sdk/wallet/bump-fee.ts';
import { nextAddress } from '@coinfront/sdk/wallet/scan-accounts.ts';
import { defineCommand } from '../shell/command.ts';
import { chooseKind } from '../wallet/address-kind.ts';
import { showCoins } from '../wallet/amounts.ts';
import { openPurse } from '../wallet/open-purse.ts';
import { finishSpending, readFeeRate, spendOptions } from '../wallet/spend.ts';

export const bumpCommand = defineCommand({
  name: 'bump',
  summary: 'raise the fee of an unconfirmed transaction',
  details: `Replaces it by one with the same inputs and outputs (BIP-125). The change pays for it, so a token's id, a name and other outputs stay
the same.`,
  args: [{ name: 'txid', summary: 'the transaction' }],
  options: spendOptions,
  async run(context, { args: { txid }, options }) {
    const purse = await openPurse(context);
    const { file, session, scan } = purse;
    const { network } = file.watch;
    const { psbt, review, replaces } = await bumpFee({
      scan,
      txid,
      feeRatePerKvb: await readFeeRate(options, purse),
      change: nextAddress(scan, { kind: chooseKind(undefined, network), chain: 1 }),
      reads: session.reads,
    });
    const intro = [
      `You pay ${showCoins(review.fee, network)} in place of ${showCoins(replaces.fee, network)} for ${replaces.txid}`,
    ];
    const facts = { replaces: replaces.txid, replaced_fee: formatAmount(replaces.fee, network.decimals) };
    return (await finishSpending(context, purse, { psbt, review, intro, facts }, options)).outcome;
  },
});
