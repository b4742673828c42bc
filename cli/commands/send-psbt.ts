import { readFile } from 'node:fs/promises';
import { readPsbt } from '@coinfront/sdk/wallet/psbt-text.ts';
import { reviewTransaction } from '@coinfront/sdk/wallet/review-transaction.ts';
import { checkReviewedFee, finaliseTransaction } from '@coinfront/sdk/wallet/sign-transaction.ts';
import { loadWallet } from '../keystore/open-wallet-file.ts';
import { connectWallet } from '../service/connect.ts';
import { defineCommand } from '../shell/command.ts';
import { confirm } from '../wallet/confirm.ts';
import { showReview } from '../wallet/describe-review.ts';
import { sendSigned } from '../wallet/send-signed.ts';
import { describeReview } from '../wallet/spend.ts';

export const sendPsbtCommand = defineCommand({
  name: 'send psbt',
  summary: 'send a transaction that "coin sign psbt" signed',
  details: 'Needs no keys and no passphrase: works with a watch-only wallet.',
  args: [
    {
      name: 'file',
      summary: 'the signed PSBT, or several with parts of the signatures',
      rest: true,
      file: true,
    },
  ],
  options: {},
  async run(context, { args }) {
    const file = await loadWallet(context);
    const session = await connectWallet(context, file);
    const psbts = await Promise.all(args.file.map(async (path) => readPsbt(await readFile(path, 'utf8'))));
    const review = reviewTransaction(file.watch, psbts[0]!);
    checkReviewedFee(review, file.watch);
    const { network } = file.watch;
    await confirm(
      context,
      ['You send:', ...showReview(review, network).map((line) => `  ${line}`)],
      'Send it?',
    );
    const txid = await sendSigned(context, session, finaliseTransaction(psbts), args.file);
    return { json: { txid, ...describeReview(review, network.decimals) }, lines: [`Sent: ${txid}`] };
  },
});
