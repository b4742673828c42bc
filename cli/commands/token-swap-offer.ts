import { nextAddress } from '@coinfront/sdk/wallet/scan-accounts.ts';
import { proposeEscrow } from '@coinfront/sdk/wallet/swap/swap-terms.ts';
import { CliError } from '../shell/cli-error.ts';
import { defineCommand } from '../shell/command.ts';
import { describeTerms, showTerms } from '../swap/describe-swap.ts';
import { keepSwap, pathOf, reserveAddress, swapId } from '../swap/swap-book.ts';
import { writeSwapMessage } from '../swap/swap-message.ts';
import { findHeight } from '../swap/swap-side.ts';
import { readCoins, readWhole } from '../wallet/amounts.ts';
import { chooseHolder } from '../wallet/choose-holder.ts';
import { findToken, readTokenAmount } from '../wallet/find-token.ts';
import { openPurse } from '../wallet/open-purse.ts';
import { readFeeRate, spendOptions } from '../wallet/spend.ts';

/** The refund pays this many times what is advised now: it may be needed when fees are higher. */
const REFUND_RATE = 3n;

export const tokenSwapOfferCommand = defineCommand({
  name: 'token swap offer',
  summary: 'offer tokens of the wallet for coins: the first step of a swap',
  details: `Writes a file for the buyer, who answers with "coin token swap accept". Nothing is signed or sent. The steps of both:
docs/wallet.md. Neither party can take both, whoever stops where.`,
  args: [
    { name: 'token', summary: 'its id, or its ticker' },
    { name: 'amount', summary: 'how much' },
    { name: 'price', summary: 'coins that the buyer pays' },
    { name: 'file', summary: 'the new file, for the buyer', file: true },
  ],
  options: {
    from: { value: '<address>', summary: 'the address of the wallet that has them' },
    'refund-in': { value: '<blocks>', summary: 'get the tokens back after so many blocks (default: 288)' },
    'fee-rate': spendOptions['fee-rate'],
    target: spendOptions.target,
  },
  async run(context, { args, options }) {
    const purse = await openPurse(context);
    const { watch } = purse.file;
    const { network } = watch;
    const token = await findToken(args.token, purse);
    const amount = readTokenAmount(args.amount, token);
    const holder = chooseHolder(purse, token, amount, options.from);
    if (holder.kind === 'p2pkh')
      throw new CliError(
        'swap_not_segwit',
        `${holder.address} is no address of segwit: transfer the tokens to one first.`,
      );
    const blocks = readWhole('--refund-in', options['refund-in'] ?? '288', { min: 20, max: 100_000 });
    const own = await reserveAddress(context, watch, nextAddress(purse.scan, { kind: 'p2wpkh', chain: 0 }));
    const rate = await readFeeRate({ ...options, psbt: undefined }, purse);
    const terms = {
      ...{ tokenId: token.tokenId, amount, price: readCoins(args.price, network) },
      seller: { publicKey: own.publicKey, address: own.address },
      refundAfter: (await findHeight(purse.session)) + blocks,
      ...proposeEscrow(network, REFUND_RATE * rate),
    };
    if (terms.price < network.dustLimit) throw new CliError('amount_invalid', 'The price is dust.');
    const id = swapId(terms);
    await keepSwap(context, { id, role: 'seller', own: pathOf(own), holder: pathOf(holder), terms });
    await writeSwapMessage(args.file, { step: 'offer', terms }, network);
    return {
      json: { swap: id, file: args.file, ...describeTerms(terms, token, network) },
      lines: [`Swap ${id}:`, ...showTerms(terms, token, network), `Give ${args.file} to the buyer.`],
    };
  },
});
