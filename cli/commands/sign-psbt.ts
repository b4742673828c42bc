import { readFile, writeFile } from 'node:fs/promises';
import { readPsbt, writePsbt } from '@coinfront/sdk/wallet/psbt-text.ts';
import { reviewTransaction } from '@coinfront/sdk/wallet/review-transaction.ts';
import { signTransaction } from '@coinfront/sdk/wallet/sign-transaction.ts';
import { loadWallet, unlockWallet } from '../keystore/open-wallet-file.ts';
import { defineCommand } from '../shell/command.ts';
import { confirm } from '../wallet/confirm.ts';
import { showReview } from '../wallet/describe-review.ts';
import { describeReview } from '../wallet/spend.ts';

export const signPsbtCommand = defineCommand({
  name: 'sign psbt',
  summary: 'sign a transaction that was built elsewhere, offline',
  details: `Works offline: what is shown is read from the file and proven by the transactions in it. Every input must be the wallet's
own. Send the signed file with "coin send psbt".`,
  args: [{ name: 'file', summary: 'a PSBT (BIP-174), base64 or hex', file: true }],
  options: {
    out: { value: '<file>', summary: 'write to this new file (default: print it)', file: true },
  },
  async run(context, { args, options }) {
    const file = await loadWallet(context);
    const psbt = readPsbt(await readFile(args.file, 'utf8'));
    const review = reviewTransaction(file.watch, psbt);
    const { network } = file.watch;
    await confirm(
      context,
      ['You sign:', ...showReview(review, network).map((line) => `  ${line}`)],
      'Sign it?',
    );
    const keys = await unlockWallet(context, file);
    let signed: string;
    try {
      signed = writePsbt(signTransaction(keys, file.watch, psbt, { approval: review.approval }));
    } finally {
      keys.wipe();
    }
    if (options.out !== undefined) await writeFile(options.out, `${signed}\n`, { flag: 'wx', mode: 0o600 });
    return {
      json: { psbt: signed, ...describeReview(review, network.decimals) },
      lines: [options.out === undefined ? signed : `Signed, in ${options.out}.`],
    };
  },
});
