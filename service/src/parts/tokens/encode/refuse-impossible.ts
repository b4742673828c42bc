import type { TokenTerms } from '@coinfront/protocol/tokens/token-operation.ts';
import { TOKEN_REASONS, type TokenReason } from '@coinfront/protocol/tokens/token-reasons.ts';
import { mintLimit, type SingleOperation } from '@coinfront/protocol/tokens/token-rules.ts';
import { AppError } from '../../../errors.ts';

/**
 * Refuses what no state could make valid, so that nobody is given a transaction that pays for nothing whenever it is mined.
 *
 * @param terms - of the token, which are for its whole life
 * @throws AppError `amount_invalid`, `invalid_body`
 */
export function refuseImpossible(operation: SingleOperation, terms: TokenTerms): void {
  const reason = findImpossible(operation, terms);
  if (reason === undefined) return;
  const code = reason === 'minting_closed' ? 'invalid_body' : 'amount_invalid';
  throw new AppError(
    code,
    `No block can have this ${operation.kind.toUpperCase()}. ${TOKEN_REASONS[reason]}`,
  );
}

function findImpossible(operation: SingleOperation, terms: TokenTerms): TokenReason | undefined {
  const { premine, mintable } = terms;
  const limit = mintLimit(terms);
  // What was minted never becomes less, and a balance is never more than that.
  const mostHeld = mintable ? limit : premine;
  switch (operation.kind) {
    case 'create':
      if (premine > limit) return 'premine_above_cap';
      return !mintable && premine === 0n ? 'premine_zero' : undefined;
    case 'mint':
      if (operation.amount === 0n && !operation.closes) return 'amount_zero';
      if (!mintable) return 'minting_closed';
      return operation.amount > limit - premine ? 'cap_exceeded' : undefined;
    case 'transfer':
      if (operation.shares.some(({ amount }) => amount === 0n)) return 'amount_zero';
      return operation.shares.reduce((sum, { amount }) => sum + amount, 0n) > mostHeld
        ? 'balance_too_low'
        : undefined;
    case 'burn':
      if (operation.amount === 0n) return 'amount_zero';
      return operation.amount > mostHeld ? 'balance_too_low' : undefined;
  }
}
