import { formatAmount } from '@coinfront/protocol/amount.ts';
import type { Network } from '@coinfront/sdk/wallet/network.ts';
import type { SwapTerms } from '@coinfront/sdk/wallet/swap/swap-terms.ts';
import { showCoins } from '../wallet/amounts.ts';
import { type ProvenToken, showTokenAmount } from '../wallet/find-token.ts';
import { type OfferedTerms, toTermsJson } from './swap-message.ts';

/** The terms of a swap, for a person. */
export function showTerms(
  terms: OfferedTerms & Partial<Pick<SwapTerms, 'buyer'>>,
  token: ProvenToken,
  network: Network,
): string[] {
  const { amount, price, seller, buyer, escrowValue, refundFee, refundAfter } = terms;
  return [
    `  tokens   ${showTokenAmount(amount, token)} (${token.tokenId})`,
    `  price    ${showCoins(price, network)}`,
    `  seller   ${seller.address}`,
    ...(buyer === undefined ? [] : [`  buyer    ${buyer.address}`]),
    `  escrow   ${showCoins(escrowValue, network)} of the seller, which come back to the seller`,
    `  refund   after block ${refundAfter}, for ${showCoins(refundFee, network)}`,
  ];
}

/** The same for programs. */
export function describeTerms(
  terms: OfferedTerms & Partial<Pick<SwapTerms, 'buyer'>>,
  token: ProvenToken,
  network: Network,
) {
  const { token_id, seller, buyer, refund_after } = toTermsJson(terms);
  return {
    token_id,
    ticker: token.terms.ticker,
    amount: formatAmount(terms.amount, token.terms.decimals),
    price: formatAmount(terms.price, network.decimals),
    seller: seller.address,
    buyer: buyer?.address ?? null,
    refund_after,
  };
}
