import { loadWallet } from '../keystore/open-wallet-file.ts';
import { defineCommand } from '../shell/command.ts';
import { type KeptSwap, listSwaps } from '../swap/swap-book.ts';
import { toTermsJson } from '../swap/swap-message.ts';
import { showCoins } from '../wallet/amounts.ts';

export const tokenSwapListCommand = defineCommand({
  name: 'token swap list',
  summary: 'list swaps of the wallet, and how far they are',
  details:
    'Works offline, from what is kept beside the wallet. Keep these files until a swap or its refund is mined: words alone do not bring them back.',
  args: [],
  options: {},
  async run(context) {
    const { network } = (await loadWallet(context)).watch;
    const swaps = await listSwaps(context);
    return {
      json: {
        items: swaps.map((kept) => ({
          ...{ swap: kept.id, role: kept.role, state: stateOf(kept), txid: kept.txid ?? null },
          terms: toTermsJson(kept.terms),
        })),
      },
      lines:
        swaps.length === 0
          ? ['No swaps.']
          : swaps.map(
              (kept) =>
                `${kept.id}  ${kept.role.padEnd(6)}  ${stateOf(kept).padEnd(9)}  ${kept.terms.amount} parts of ${kept.terms.tokenId.slice(0, 8)}… for ${showCoins(kept.terms.price, network)}, refund after block ${kept.terms.refundAfter}`,
            ),
    };
  },
});

function stateOf({ role, terms, funding, refund, swap, txid }: KeptSwap): string {
  if (txid !== undefined) return 'sent';
  if (swap !== undefined) return 'signed';
  if (role === 'seller' && refund !== undefined) return 'funded';
  if (funding !== undefined) return 'prepared';
  return terms.buyer === undefined ? 'offered' : 'accepted';
}
