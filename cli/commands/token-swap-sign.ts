import { writePsbt } from '@coinfront/sdk/wallet/psbt-text.ts';
import { signSwapRefund } from '@coinfront/sdk/wallet/swap/sign-swap.ts';
import { loadWallet } from '../keystore/open-wallet-file.ts';
import { CliError } from '../shell/cli-error.ts';
import { defineCommand } from '../shell/command.ts';
import { findSameSwap, keepSwap } from '../swap/swap-book.ts';
import { readSwapMessage, writeSwapMessage } from '../swap/swap-message.ts';
import { escrowOf, sideOf, withKeys } from '../swap/swap-side.ts';
import { confirm } from '../wallet/confirm.ts';

export const tokenSwapSignCommand = defineCommand({
  name: 'token swap sign',
  summary: 'sign the refund of a swap, as its buyer',
  details: `Works offline. The refund spends nothing of this wallet: it lets the seller have the tokens back, after the block that was agreed on, if
there is no swap. Without it the seller would not send them to the escrow.`,
  args: [
    { name: 'funding', summary: 'the file of the seller', file: true },
    { name: 'file', summary: 'the new file, for the seller', file: true },
  ],
  options: {},
  async run(context, { args }) {
    const file = await loadWallet(context);
    const { watch } = file;
    const { network } = watch;
    const { terms, funding } = await readSwapMessage(args.funding, 'funding', network);
    const found = await findSameSwap(context, terms, 'buyer');
    // With refunds of two fundings the seller could have the tokens by one, and the price by the swap of the other.
    if (found.funding !== undefined && found.funding !== funding)
      throw new CliError(
        'swap_changed',
        `The refund of another funding of swap ${found.id} was signed: a buyer signs one, ever. Agree on a new swap.`,
      );
    const kept = { ...found, funding };
    const side = sideOf(kept, watch);
    const shown = [
      `You let the seller have the tokens back from the escrow ${escrowOf(kept, network)}`,
      `after block ${terms.refundAfter}, if there is no swap until then.`,
    ];
    await confirm(context, shown, 'Sign the refund?');
    // Before there is a signature: whatever happens then, there is none of another funding.
    await keepSwap(context, kept);
    const psbt = await withKeys(context, file, (keys) => writePsbt(signSwapRefund(keys, side)));
    await writeSwapMessage(args.file, { step: 'refund', terms, funding, psbt }, network);
    return {
      json: {
        swap: kept.id,
        file: args.file,
        funding_txid: side.funding.txid,
        escrow: escrowOf(kept, network),
      },
      lines: [
        `Swap ${kept.id}: give ${args.file} to the seller, and go on with "coin token swap buy ${kept.id} <file>".`,
      ],
    };
  },
});
