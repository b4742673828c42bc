import { bytesToHex } from '@coinfront/protocol/bytes.ts';
import { buildTransaction } from '@coinfront/sdk/wallet/build-transaction.ts';
import { writePsbt } from '@coinfront/sdk/wallet/psbt-text.ts';
import { nextAddress } from '@coinfront/sdk/wallet/scan-accounts.ts';
import { finaliseTransaction, signTransaction } from '@coinfront/sdk/wallet/sign-transaction.ts';
import { signSwapRefund } from '@coinfront/sdk/wallet/swap/sign-swap.ts';
import { planSwapFunding, readSwapFunding } from '@coinfront/sdk/wallet/swap/swap-funding.ts';
import { deriveAddress } from '@coinfront/sdk/wallet/watch-wallet.ts';
import { CliError } from '../shell/cli-error.ts';
import { defineCommand, type Outcome } from '../shell/command.ts';
import { describeTerms, showTerms } from '../swap/describe-swap.ts';
import { findSameSwap, keepSwap, ownAddress } from '../swap/swap-book.ts';
import { readSwapMessage, writeSwapMessage } from '../swap/swap-message.ts';
import { withKeys } from '../swap/swap-side.ts';
import { confirm } from '../wallet/confirm.ts';
import { showReview } from '../wallet/describe-review.ts';
import { findToken } from '../wallet/find-token.ts';
import { openPurse } from '../wallet/open-purse.ts';
import { readFeeRate, spendOptions } from '../wallet/spend.ts';

export const tokenSwapPrepareCommand = defineCommand({
  name: 'token swap prepare',
  summary: 'sign the funding of a swap and its refund, as its seller; send nothing',
  details: `Compares the buyer's file with the offer. The funding is kept beside the wallet, and the buyer gets it without signatures: it is sent when
the buyer has signed the refund.`,
  args: [
    { name: 'accept', summary: 'the file of the buyer', file: true },
    { name: 'file', summary: 'the new file, for the buyer', file: true },
  ],
  options: { 'fee-rate': spendOptions['fee-rate'], target: spendOptions.target },
  async run(context, { args, options }) {
    const purse = await openPurse(context);
    const { file, session, scan, names, tokens } = purse;
    const { watch } = file;
    const { network } = watch;
    const { terms } = await readSwapMessage(args.accept, 'accept', network);
    const kept = await findSameSwap(context, terms, 'seller');
    if (kept.refund !== undefined)
      throw new CliError('swap_known', `Swap ${kept.id} is funded, or about to be.`);
    const token = await findToken(terms.tokenId, purse);
    if (kept.funding !== undefined) {
      // The buyer signs the refund of one funding only: the file is written again, and no other funding made.
      const { funding } = kept;
      await writeSwapMessage(args.file, { step: 'funding', terms, funding }, network);
      const { txid } = readSwapFunding(terms, funding, network);
      return describePrepared(kept.id, args.file, txid, describeTerms(terms, token, network));
    }
    const holder = deriveAddress(watch, kept.holder!);
    const { psbt, review } = await buildTransaction({
      wallet: watch,
      coins: scan.coins,
      own: scan.used,
      keep: [...names.map(({ owner }) => owner), ...tokens.map((each) => each.holder)],
      plan: planSwapFunding({ terms, holder, network }),
      feeRatePerKvb: await readFeeRate({ ...options, psbt: undefined }, purse),
      change: nextAddress(scan, { kind: 'p2wpkh', chain: 1 }),
      reads: session.reads,
    });
    const shown = [
      'You sell:',
      ...showTerms(terms, token, network),
      'by a funding of',
      ...showReview(review, network).map((line) => `  ${line}`),
    ];
    await confirm(context, shown, 'Sign it, and send nothing yet?');
    const signed = await withKeys(context, file, (keys) => {
      const funding = signTransaction(keys, watch, psbt, { approval: review.approval });
      const { hex } = finaliseTransaction([funding]);
      const read = readSwapFunding(terms, hex, network);
      const side = { terms, funding: read, network, own: ownAddress(kept, watch) };
      return { funding, hex, read, part: signSwapRefund(keys, side) };
    });
    const funding = bytesToHex(signed.read.stripped);
    await keepSwap(context, {
      ...kept,
      ...{ terms, funding, fundingPsbt: writePsbt(signed.funding), refundPart: writePsbt(signed.part) },
    });
    await writeSwapMessage(args.file, { step: 'funding', terms, funding }, network);
    return describePrepared(kept.id, args.file, signed.read.txid, describeTerms(terms, token, network));
  },
});

function describePrepared(id: string, file: string, fundingTxid: string, terms: object): Outcome {
  return {
    json: { swap: id, file, funding_txid: fundingTxid, ...terms },
    lines: [
      `Swap ${id}: give ${file} to the buyer. Do not spend the coins of the address that has the tokens meanwhile.`,
    ],
  };
}
