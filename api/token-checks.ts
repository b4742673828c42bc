/** Checks of a signed transaction before it is sent: schemas of the preflight. */

import Type, { type Static } from 'typebox';
import { Amount, AsOf, Count, Hash, Hex, Nullable, OneOf, Strict } from './common.ts';
import { SweepView } from './token-sweep.ts';
import { OwnerView, TokenAmount, tokenKinds } from './tokens.ts';

/** Body of POST /tok/preflight. */
export const PreflightBody = Strict(
  {
    raw_tx: Type.String({
      minLength: 2,
      maxLength: 2_000_000,
      description: 'The signed transaction, serialised, in hex. Never a key.',
    }),
  },
  { title: 'TokenPreflightRequest' },
);

/** The checks, in their order. */
export const preflightChecks = [
  'parse',
  'payload',
  'sender',
  'operation',
  'pending',
  'create_fee',
  'mempool',
] as const;
export type PreflightCheck = (typeof preflightChecks)[number];

/** Inputs, and outputs, of a transaction whose coins are told. */
export const mostCoinParts = 100;

const results = ['passed', 'failed', 'skipped'] as const;

/** One check. */
export const CheckView = Strict(
  {
    name: OneOf(preflightChecks, {
      description:
        '`parse`: the bytes are a transaction. `payload`: it carries one payload of tokens that can be read. `sender`: input 0 names a sender and is signed with SIGHASH_ALL. `operation`: valid on the state of the tip in the next block. `pending`: valid still after what its sender has in the mempool. `create_fee`: a CREATE pays its fee. `mempool`: the node would take it, signatures and coin fee included.',
    }),
    result: OneOf(results, {
      description: '`skipped`: it does not apply, or an earlier one failed, or the node cannot be asked.',
    }),
    reason: Nullable(
      Type.String({
        description:
          'A code: those of docs/protocols/tokens.md, and those of the check. Null when it passed.',
      }),
    ),
    detail: Type.String({ description: 'The same in words.' }),
  },
  { title: 'TokenPreflightCheck' },
);
export type CheckJson = Static<typeof CheckView>;

/** Answer of POST /tok/preflight. */
export const PreflightView = Strict(
  {
    as_of: AsOf,
    next_height: Count('The height that it was judged for.'),
    chain_hash: Hex('chain(h) of tokens at the tip: names the state that it was judged on.'),
    txid: Nullable(Hash('Its id.')),
    wtxid: Nullable(Hash('Its id with the witness.')),
    ok: Type.Boolean({
      description: 'Whether every check passed that applies: the one answer to whether to send it.',
    }),
    valid: Nullable(
      Type.Boolean({
        description:
          'Whether the index will list its operation as valid when it is mined in the next block, before all others. Null when it cannot be known: it is no transaction of tokens, its input is unknown, or it is confirmed already.',
      }),
    ),
    reason: Nullable(
      Type.String({ description: 'The reason that the index will list; null when it is valid.' }),
    ),
    checks: Type.Array(CheckView, { description: 'All of them, in their order.' }),
    operation: Nullable(
      Strict(
        {
          kind: OneOf(tokenKinds),
          token_id: Nullable(Hex('The token; of a CREATE that which it makes. Null of a SWEEP.')),
          ticker: Nullable(Type.String({ description: 'Its ticker; null where there is no such token.' })),
          sender: Nullable(OwnerView),
          amount: Nullable(
            TokenAmount(
              'What is created, minted, transferred in all, or burned; null of a SWEEP, and where the token is unknown.',
            ),
          ),
        },
        { title: 'TokenPreflightOperation' },
      ),
    ),
    effect: Nullable(
      Strict(
        {
          minted: Strict({ before: TokenAmount('Now.'), after: TokenAmount('After it.') }),
          burned: Strict({ before: TokenAmount('Now.'), after: TokenAmount('After it.') }),
          minting_open: Type.Boolean({ description: 'Whether its issuer may mint after it.' }),
          holders: Strict({ before: Count('Now.'), after: Count('After it.') }),
          balances: Type.Array(
            Strict(
              {
                ...OwnerView.properties,
                before: TokenAmount('What it has now.'),
                after: TokenAmount('What it has after it.'),
              },
              { title: 'TokenBalanceChange' },
            ),
            { description: 'Balances that change.' },
          ),
        },
        { title: 'TokenEffect' },
      ),
    ),
    sweep: Nullable(SweepView),
    coins: Nullable(
      Type.Array(
        Strict(
          {
            ...OwnerView.properties,
            spent: Amount('What the transaction spends of it.'),
            received: Amount('What the transaction pays to it.'),
          },
          { title: 'TokenPreflightCoins' },
        ),
        {
          description: `What it does with coins: each script that it spends from or pays, once, inputs first. With \`effect\` both sides of a swap. Null with more than ${mostCoinParts} inputs or outputs, and where an input is unknown.`,
        },
      ),
    ),
    pending: Nullable(
      Strict(
        {
          operations: Count(
            'Unconfirmed operations of its sender on the same token, sweeps of it too, itself and what it replaces left out.',
          ),
          debits: TokenAmount('What they take from its balance.'),
          available: TokenAmount('What they leave of the balance before this one.'),
          complete: Type.Boolean({
            description: 'False when the sender has more unconfirmed transactions than are looked at.',
          }),
        },
        { title: 'TokenPending' },
      ),
    ),
    create_fee: Nullable(
      Strict(
        {
          paid: Amount('What it pays to the fee script.'),
          required: Amount('What a CREATE pays at least in the next block.'),
          required_after: Amount('What it pays at least in the block after that.'),
        },
        { title: 'TokenCreateFee' },
      ),
    ),
  },
  { title: 'TokenPreflight' },
);
export type PreflightJson = Static<typeof PreflightView>;
