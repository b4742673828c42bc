import { getHexBytes, toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import { parseTransaction, serializeTransaction, txidOf } from '@coinfront/protocol/transaction.ts';
import { loadWallet } from '../keystore/open-wallet-file.ts';
import { connectWallet } from '../service/connect.ts';
import { CliError } from '../shell/cli-error.ts';
import { defineCommand } from '../shell/command.ts';
import { findSwap, keepSwap } from '../swap/swap-book.ts';
import { findHeight } from '../swap/swap-side.ts';
import { confirm } from '../wallet/confirm.ts';
import { sendSigned } from '../wallet/send-signed.ts';

export const tokenSwapRefundCommand = defineCommand({
  name: 'token swap refund',
  summary: 'get the tokens of a swap back, as its seller, once its time is over',
  details: 'Needs no keys: the refund was signed by both before the tokens went to the escrow.',
  args: [{ name: 'swap', summary: 'its id: "coin token swap list"' }],
  options: {},
  async run(context, { args }) {
    const file = await loadWallet(context);
    const kept = await findSwap(context, args.swap, 'seller');
    const { refund, terms } = kept;
    if (refund === undefined)
      throw new CliError('swap_not_ready', `Swap ${kept.id} was not funded: the tokens are where they were.`);
    const session = await connectWallet(context, file);
    const left = terms.refundAfter - (await findHeight(session));
    if (left > 0)
      throw new CliError(
        'swap_early',
        `The refund can be sent after block ${terms.refundAfter}, in ${left} blocks.`,
      );
    await confirm(
      context,
      [`You have the tokens of swap ${kept.id} sent back to ${terms.seller.address}.`],
      'Send the refund?',
    );
    const tx = getValue(parseTransaction(getHexBytes(refund)));
    const txid = toDisplayHash(txidOf(tx));
    const bare = serializeTransaction(tx, { witness: false }).length;
    const vsize = Math.ceil((3 * bare + refund.length / 2) / 4);
    await sendSigned(context, session, { txid, hex: refund, vsize }, []);
    await keepSwap(context, { ...kept, txid });
    return { json: { swap: kept.id, txid }, lines: [`Sent: ${txid}`] };
  },
});
