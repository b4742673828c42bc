import { formatAmount } from '@coinfront/protocol/amount.ts';
import { bytesToHex } from '@coinfront/protocol/bytes.ts';
import { writePsbt } from '@coinfront/sdk/wallet/psbt-text.ts';
import { nextAddress } from '@coinfront/sdk/wallet/scan-accounts.ts';
import { buildSwap } from '@coinfront/sdk/wallet/swap/build-swap.ts';
import { reviewSwap, signSwapAsBuyer } from '@coinfront/sdk/wallet/swap/sign-swap.ts';
import { isSwapFunded } from '@coinfront/sdk/wallet/swap/swap-funding.ts';
import { CliError } from '../shell/cli-error.ts';
import { defineCommand } from '../shell/command.ts';
import { showTerms } from '../swap/describe-swap.ts';
import { listSpendable } from '../swap/list-spendable.ts';
import { findSwap, keepSwap } from '../swap/swap-book.ts';
import { writeSwapMessage } from '../swap/swap-message.ts';
import { findHeight, sideOf, withKeys } from '../swap/swap-side.ts';
import { readWhole, showCoins } from '../wallet/amounts.ts';
import { confirm } from '../wallet/confirm.ts';
import { findToken } from '../wallet/find-token.ts';
import { openPurse } from '../wallet/open-purse.ts';
import { readFeeRate, spendOptions } from '../wallet/spend.ts';

/** Blocks before the refund in which nothing is bought any more: swap and refund spend the same output. */
const MARGIN = 6;

export const tokenSwapBuyCommand = defineCommand({
  name: 'token swap buy',
  summary: 'pay for the tokens of a swap, as its buyer: sign it for the seller',
  details: `Refuses while the escrow has not had the tokens for long enough, and when the refund is near. What is signed pays the price only together
with the tokens. The seller completes it; "coin token swap cancel" ends it before.`,
  args: [
    { name: 'swap', summary: 'its id: "coin token swap list"' },
    { name: 'file', summary: 'the new file, for the seller', file: true },
  ],
  options: {
    confirmations: { value: '<number>', summary: 'blocks that the escrow had the tokens for (default: 6)' },
    'fee-rate': spendOptions['fee-rate'],
    target: spendOptions.target,
  },
  async run(context, { args, options }) {
    const purse = await openPurse(context);
    const { file, session, scan } = purse;
    const { watch } = file;
    const { network } = watch;
    const kept = await findSwap(context, args.swap, 'buyer');
    const side = sideOf(kept, watch);
    const { terms, funding } = side;
    const confirmations = readWhole('--confirmations', options.confirmations ?? '6', { min: 1, max: 10_000 });
    const height = await findHeight(session);
    if (height > terms.refundAfter - MARGIN)
      throw new CliError(
        'swap_late',
        `The seller can have the tokens back after block ${terms.refundAfter}: it is too late for a swap.`,
      );
    if (!(await isSwapFunded(session.client, { terms, funding, network, confirmations })))
      throw new CliError('swap_not_funded', `The escrow has not had the tokens for ${confirmations} blocks.`);
    const token = await findToken(terms.tokenId, purse);
    const psbt = await buildSwap({
      ...{ terms, funding, wallet: watch, coins: listSpendable(purse) },
      change: nextAddress(scan, { kind: 'p2wpkh', chain: 1 }),
      feeRatePerKvb: await readFeeRate({ ...options, psbt: undefined }, purse),
      reads: session.reads,
    });
    const { paid, fee, vsize } = reviewSwap(watch, side, psbt);
    const shown = [
      'You buy:',
      ...showTerms(terms, token, network),
      `  fee      ${showCoins(fee, network)} for ${vsize} vB`,
      `  leaves   ${showCoins(paid, network)} leave the wallet in all`,
    ];
    await confirm(context, shown, 'Sign it for the seller?');
    const signed = await withKeys(context, file, (keys) =>
      writePsbt(signSwapAsBuyer(keys, watch, side, psbt)),
    );
    await keepSwap(context, { ...kept, swap: signed });
    const hex = bytesToHex(funding.stripped);
    await writeSwapMessage(args.file, { step: 'swap', terms, funding: hex, psbt: signed }, network);
    const amount = (value: bigint) => formatAmount(value, network.decimals);
    return {
      json: { swap: kept.id, file: args.file, paid: amount(paid), fee: amount(fee) },
      lines: [`Swap ${kept.id}: give ${args.file} to the seller, who completes it.`],
    };
  },
});
