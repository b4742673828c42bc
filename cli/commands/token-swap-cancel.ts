import { bytesToHex } from '@coinfront/protocol/bytes.ts';
import { readPsbt } from '@coinfront/sdk/wallet/psbt-text.ts';
import { nextAddress } from '@coinfront/sdk/wallet/scan-accounts.ts';
import { reviewSwap } from '@coinfront/sdk/wallet/swap/sign-swap.ts';
import { CliError } from '../shell/cli-error.ts';
import { defineCommand } from '../shell/command.ts';
import { findSwap, keepSwap } from '../swap/swap-book.ts';
import { sideOf } from '../swap/swap-side.ts';
import { openPurse } from '../wallet/open-purse.ts';
import { spend, spendOptions } from '../wallet/spend.ts';

export const tokenSwapCancelCommand = defineCommand({
  name: 'token swap cancel',
  summary: 'take back what was signed for a swap, as its buyer',
  details: `Spends a coin of the swap to the wallet itself: once that is mined, the seller can complete nothing. Before anything was signed for
the seller, there is nothing to take back.`,
  args: [{ name: 'swap', summary: 'its id: "coin token swap list"' }],
  options: { 'fee-rate': spendOptions['fee-rate'], target: spendOptions.target },
  async run(context, { args, options }) {
    const purse = await openPurse(context);
    const { watch } = purse.file;
    const kept = await findSwap(context, args.swap, 'buyer');
    if (kept.swap === undefined)
      throw new CliError(
        'swap_not_ready',
        `Nothing was signed for the seller of swap ${kept.id}: there is nothing to take back.`,
      );
    const { inputs } = reviewSwap(watch, sideOf(kept, watch), readPsbt(kept.swap));
    const coin = purse.scan.coins.find(
      ({ txid, vout, spentInMempool }) =>
        !spentInMempool && inputs.some((input) => input.txid === txid && input.vout === vout),
    );
    if (coin === undefined)
      throw new CliError(
        'swap_done',
        `The coins of swap ${kept.id} are spent, or about to be: see "coin history".`,
      );
    const own = nextAddress(purse.scan, { kind: 'p2wpkh', chain: 1 });
    const plan = { outputs: [{ script: own.script, value: watch.network.dustLimit }], changeTo: own };
    const intro = [
      `You take back what you signed for swap ${kept.id} (${bytesToHex(own.script)} is your own)`,
    ];
    const only = { ...purse, scan: { ...purse.scan, coins: [coin] } };
    const { outcome } = await spend(
      context,
      only,
      { plan, intro, facts: { swap: kept.id } },
      { ...options, psbt: undefined },
    );
    const { swap: _, ...open } = kept;
    await keepSwap(context, open);
    return outcome;
  },
});
