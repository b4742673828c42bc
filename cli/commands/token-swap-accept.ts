import { nextAddress } from '@coinfront/sdk/wallet/scan-accounts.ts';
import { checkTerms } from '@coinfront/sdk/wallet/swap/swap-terms.ts';
import { CliError } from '../shell/cli-error.ts';
import { defineCommand } from '../shell/command.ts';
import { describeTerms, showTerms } from '../swap/describe-swap.ts';
import { keepSwap, listSwaps, pathOf, reserveAddress, swapId } from '../swap/swap-book.ts';
import { readSwapMessage, writeSwapMessage } from '../swap/swap-message.ts';
import { findHeight } from '../swap/swap-side.ts';
import { confirm } from '../wallet/confirm.ts';
import { findToken } from '../wallet/find-token.ts';
import { openPurse } from '../wallet/open-purse.ts';

/** Blocks that a swap takes at least: what comes later could meet the refund. */
const LEAST_BLOCKS = 12;

export const tokenSwapAcceptCommand = defineCommand({
  name: 'token swap accept',
  summary: 'accept an offer of tokens, as their buyer',
  details: `Shows the terms, whose decimals are proven by the token's id, and answers with a file for the seller. Nothing is signed or sent, and no
coin is bound.`,
  args: [
    { name: 'offer', summary: 'the file of the seller', file: true },
    { name: 'file', summary: 'the new file, for the seller', file: true },
  ],
  options: {},
  async run(context, { args }) {
    const purse = await openPurse(context);
    const { watch } = purse.file;
    const { network } = watch;
    const { terms: offered } = await readSwapMessage(args.offer, 'offer', network);
    const id = swapId(offered);
    if ((await listSwaps(context)).some((each) => each.id === id))
      throw new CliError('swap_known', `This wallet has the swap ${id} already.`);
    const token = await findToken(offered.tokenId, purse);
    const own = await reserveAddress(context, watch, nextAddress(purse.scan, { kind: 'p2wpkh', chain: 0 }));
    const terms = { ...offered, buyer: { publicKey: own.publicKey, address: own.address } };
    checkTerms(terms, network);
    const left = terms.refundAfter - (await findHeight(purse.session));
    if (left < LEAST_BLOCKS)
      throw new CliError(
        'swap_late',
        `The seller could have the tokens back in ${Math.max(0, left)} blocks: ask for a later one.`,
      );
    const shown = ['You accept:', ...showTerms(terms, token, network)];
    await confirm(context, shown, 'Accept these terms?');
    await keepSwap(context, { id, role: 'buyer', own: pathOf(own), terms });
    await writeSwapMessage(args.file, { step: 'accept', terms }, network);
    return {
      json: { swap: id, file: args.file, ...describeTerms(terms, token, network) },
      lines: [`Swap ${id}: give ${args.file} to the seller.`],
    };
  },
});
