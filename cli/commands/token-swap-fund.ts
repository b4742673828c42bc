import { preflightToken } from '@coinfront/sdk/tokens/preflight-token.ts';
import { preflightTransaction } from '@coinfront/sdk/wallet/preflight-transaction.ts';
import { readPsbt } from '@coinfront/sdk/wallet/psbt-text.ts';
import { finaliseTransaction } from '@coinfront/sdk/wallet/sign-transaction.ts';
import { completeSwapRefund } from '@coinfront/sdk/wallet/swap/complete-refund.ts';
import { loadWallet } from '../keystore/open-wallet-file.ts';
import { connectWallet } from '../service/connect.ts';
import { CliError } from '../shell/cli-error.ts';
import { defineCommand } from '../shell/command.ts';
import { findSameSwap, keepSwap } from '../swap/swap-book.ts';
import { readSwapMessage } from '../swap/swap-message.ts';
import { escrowOf, findHeight, sideOf } from '../swap/swap-side.ts';
import { confirm } from '../wallet/confirm.ts';
import { sendSigned } from '../wallet/send-signed.ts';

export const tokenSwapFundCommand = defineCommand({
  name: 'token swap fund',
  summary: 'send the tokens of a swap to its escrow, as its seller',
  details: `Verifies both signatures of the refund first, and keeps the refund beside the wallet: with a wrong one the tokens would be out of reach.
Then the preflight has to say that the transfer into the escrow is valid.`,
  args: [{ name: 'refund', summary: 'the file of the buyer, with the signed refund', file: true }],
  options: {},
  async run(context, { args }) {
    const file = await loadWallet(context);
    const { watch } = file;
    const { network } = watch;
    const message = await readSwapMessage(args.refund, 'refund', network);
    const found = await findSameSwap(context, message.terms, 'seller');
    const { fundingPsbt, refundPart } = found;
    if (fundingPsbt === undefined || refundPart === undefined)
      throw new CliError(
        'swap_not_ready',
        `Swap ${found.id} is not prepared: "coin token swap prepare" comes before.`,
      );
    const side = sideOf(found, watch);
    const refund = completeSwapRefund(side, [readPsbt(refundPart), readPsbt(message.psbt)]);
    const session = await connectWallet(context, file);
    if ((await findHeight(session)) >= message.terms.refundAfter)
      throw new CliError('swap_late', 'The refund could be sent already: offer anew.');
    const signedPsbt = readPsbt(fundingPsbt);
    const funding = finaliseTransaction([signedPsbt]);
    const escrow = escrowOf(found, network);
    const shown = [
      `You send the tokens to the escrow ${escrow}.`,
      `The refund, which both have signed, brings them back after block ${message.terms.refundAfter}.`,
    ];
    await confirm(context, shown, 'Send them?');
    await preflightTransaction(funding, (raw_tx) => preflightToken(session.client, { raw_tx }));
    await keepSwap(context, { ...found, refund: refund.hex });
    const txid = await sendSigned(context, session, funding, signedPsbt);
    return {
      json: {
        swap: found.id,
        txid,
        escrow,
        refund_txid: refund.txid,
        refund_after: message.terms.refundAfter,
      },
      lines: [`Sent: ${txid}`, 'The buyer goes on once it has enough confirmations.'],
    };
  },
});
