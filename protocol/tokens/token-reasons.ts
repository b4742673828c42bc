import { OPERATION_FAULTS, RECIPIENT_FAULTS } from '../operation.ts';
import { TOKEN_PAYLOAD_FAULTS } from './token-operation.ts';

/** Every reason why a transaction with a token payload changes nothing. Codes are closed; sentences are for people. */
export const TOKEN_REASONS = {
  ...OPERATION_FAULTS,
  ...TOKEN_PAYLOAD_FAULTS,
  ...RECIPIENT_FAULTS,
  premine_above_cap: 'The premine is above the cap.',
  premine_zero: 'A token that cannot be minted needs a premine.',
  fee_too_low: "The transaction pays less to the coin's fee script than a CREATE costs at this height.",
  token_unknown: 'No token has this id.',
  not_issuer: 'Only the issuer mints.',
  minting_closed: 'The token is not mintable, or its minting was closed.',
  cap_exceeded: 'The total minted would pass the cap; nothing is minted in part.',
  amount_zero: 'The amount is zero.',
  output_repeated: 'Two shares of the transfer go to the same output.',
  sweep_to_sender: 'The sender sweeps its tokens to itself.',
  nothing_to_sweep: 'The sender has no tokens.',
  balance_too_low: "The sender's balance of this token is lower than the sum.",
} as const;

/** The codes of {@link TOKEN_REASONS}. */
export type TokenReason = keyof typeof TOKEN_REASONS;
