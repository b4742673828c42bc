/** Tokens: what a sweep moves. */

import Type, { type Static } from 'typebox';
import { Count, Hex, Strict } from './common.ts';
import { TokenAmount } from './tokens.ts';

/** Balances that one sweep moves at most, of docs/protocols/tokens.md. */
export const mostSwept = 32;

/** What a sweep would move. */
export const SweepView = Strict(
  {
    moved: Type.Array(
      Strict(
        {
          token_id: Hex('The token.'),
          ticker: Type.String({ description: 'Its ticker.' }),
          decimals: Count('Decimals of its amounts.'),
          amount: TokenAmount('What is moved: all that the sender has of it.'),
        },
        { title: 'SweptToken' },
      ),
      { maxItems: mostSwept, description: 'In the order in which the tokens were created.' },
    ),
    leaves_more: Type.Boolean({
      description: `Whether the sender keeps balances of other tokens: a sweep moves ${mostSwept} at most, another one the next.`,
    }),
  },
  { title: 'TokenSweep' },
);
export type SweepJson = Static<typeof SweepView>;
