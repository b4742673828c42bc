import { preflightToken } from '@coinfront/sdk/tokens/preflight-token.ts';
import { preflightTransaction } from '@coinfront/sdk/wallet/preflight-transaction.ts';
import { readPsbt } from '@coinfront/sdk/wallet/psbt-text.ts';
import { finaliseTransaction } from '@coinfront/sdk/wallet/sign-transaction.ts';
import { signSwapAsSeller } from '@coinfront/sdk/wallet/swap/sign-swap.ts';
import { loadWallet } from '../keystore/open-wallet-file.ts';
import { connectWallet } from '../service/connect.ts';
import { CliError } from '../shell/cli-error.ts';
import { defineCommand } from '../shell/command.ts';
import { findSameSwap, keepSwap } from '../swap/swap-book.ts';
import { readSwapMessage } from '../swap/swap-message.ts';
import { sideOf, withKeys } from '../swap/swap-side.ts';
import { showCoins } from '../wallet/amounts.ts';
import { confirm } from '../wallet/confirm.ts';
import { sendSigned } from '../wallet/send-signed.ts';

export const tokenSwapCompleteCommand = defineCommand({
  name: 'token swap complete',
  summary: 'complete a swap, as its seller: sign what the buyer signed, and send it',
  details: `Signs only what spends the escrow and pays the price and the escrow's coins to the address that was agreed on; all else is refused.`,
  args: [{ name: 'swap', summary: 'the file of the buyer', file: true }],
  options: {},
  async run(context, { args }) {
    const file = await loadWallet(context);
    const { watch } = file;
    const { network } = watch;
    const message = await readSwapMessage(args.swap, 'swap', network);
    const kept = await findSameSwap(context, message.terms, 'seller');
    if (kept.refund === undefined)
      throw new CliError(
        'swap_not_ready',
        `Swap ${kept.id} is not funded: "coin token swap fund" comes before.`,
      );
    const side = sideOf(kept, watch);
    const session = await connectWallet(context, file);
    const { price, escrowValue, seller } = side.terms;
    const shown = [
      `You get ${showCoins(price + escrowValue, network)} at ${seller.address}: the price, and what the escrow has.`,
      `The tokens go to the buyer, ${side.terms.buyer.address}.`,
    ];
    await confirm(context, shown, 'Sign and send it?');
    const theirs = readPsbt(message.psbt);
    const own = await withKeys(context, file, (keys) => signSwapAsSeller(keys, side, theirs));
    const signed = finaliseTransaction([theirs, own]);
    await preflightTransaction(signed, (raw_tx) => preflightToken(session.client, { raw_tx }));
    await keepSwap(context, { ...kept, txid: signed.txid });
    const txid = await sendSigned(context, session, signed, own);
    return { json: { swap: kept.id, txid }, lines: [`Sent: ${txid}`] };
  },
});
