/** Tokens: schemas of tokens, holders, operations, the state of the index, and checks of transactions. */

import Type, { type Static } from 'typebox';
import { healthStatuses } from './chain-state.ts';
import { Amount, AsOf, Count, Hash, Hex, Nullable, OneOf, Strict, Time } from './common.ts';
import { pageOf, pageParameters } from './paging.ts';
import { ReplicaList, RulesId } from './protocol-hashes.ts';
import { ReviewedMetadataView, TokenIdParams } from './token-metadata.ts';

/** Path of one token. */
export const TokenParams = TokenIdParams;

/** Tokens as a decimal string with all of the token's decimals. */
export function TokenAmount(description: string) {
  return Type.String({
    pattern: '^[0-9]{1,21}(\\.[0-9]{1,18})?$',
    description: `${description} With the decimals of the token.`,
  });
}

const MAX_HEIGHT = 0x7fffffff;

const TokenId = (description: string) => Hex(`${description} 32 bytes, as they are hashed, not reversed.`);

/** A script, with its address where it has one. */
export const OwnerView = Strict(
  {
    address: Nullable(
      Type.String({ description: 'The address; null for a script that has none, such as a bare multisig.' }),
    ),
    script: Hex('The scriptPubKey: what tokens belong to.'),
  },
  { title: 'TokenOwner' },
);
export type OwnerJson = Static<typeof OwnerView>;

/** A token. */
export const TokenView = Strict(
  {
    token_id: TokenId('Id of the token.'),
    ticker: Type.String({ description: 'A label of A-Z and 0-9. Not unique: a token is known by its id.' }),
    decimals: Count('Decimals of its amounts, 0 to 18.'),
    issuer: OwnerView,
    supply: Strict({
      circulating: TokenAmount('What holders have: minted less burned.'),
      minted: TokenAmount('All that was ever minted, the premine included.'),
      burned: TokenAmount('All that was burned.'),
      premine: TokenAmount('Minted by the creation.'),
      cap: Nullable(
        TokenAmount('Most that may ever be minted; null when the creation gave none (2^63 - 1 parts).'),
      ),
      mintable: Nullable(
        TokenAmount('What the issuer may still mint; null when minting is closed or never was open.'),
      ),
    }),
    minting_open: Type.Boolean({ description: 'Whether the issuer may mint.' }),
    holders: Count('Addresses with a positive balance.'),
    events: Count('Valid operations, the creation included.'),
    transfers: Count('Valid transfers among them.'),
    created: Strict({
      txid: Hash('The transaction that created it.'),
      height: Count('Its block.'),
      position: Count('Its index in the block.'),
      time: Time('What the miner of the block wrote into its header.'),
    }),
    metadata_hash: Nullable(Hex('SHA-256 of metadata, where the creation gave one.')),
    metadata_hash_matches: Nullable(
      Type.Boolean({
        description:
          'Whether `metadata` are those whose hash the creation gave (`metadata_sha256`); null where there is no hash, or nothing was approved.',
      }),
    ),
    metadata: Nullable(ReviewedMetadataView),
  },
  { title: 'Token' },
);
export type TokenJson = Static<typeof TokenView>;

/** Answer of /tokens/{token_id}. */
export const TokenAnswer = Strict({ as_of: AsOf, token: TokenView }, { title: 'TokenAnswer' });

/** Orders of a list of tokens. */
export const tokenSorts = ['newest', 'oldest', 'holders'] as const;
export type TokenSort = (typeof tokenSorts)[number];

/** Query of /tokens. */
export const TokenListQuery = Strict({
  q: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 120,
      description:
        'A ticker or its beginning (those that go on come behind, as far as the first page has room), the first 8 or more digits of an id, or the address of an issuer. Where a text can be digits of an id and a ticker, those found by their ids come first.',
    }),
  ),
  sort: Type.Optional(
    OneOf(tokenSorts, {
      default: 'newest',
      description:
        '`holders`: most first, not for an issuer. Those found by digits of their ids come in the order of ids.',
    }),
  ),
  ...pageParameters,
});

/** Answer of /tokens. */
export const TokenList = Strict({ as_of: AsOf, ...pageOf(TokenView) }, { title: 'TokenList' });

/** Answer of /tokens/{token_id}/holders. */
export const HolderList = Strict(
  {
    as_of: AsOf,
    token_id: TokenId('The token.'),
    holders: Count('How many there are.'),
    ...pageOf(
      Strict(
        {
          ...OwnerView.properties,
          balance: TokenAmount('What it has.'),
          share_ppm: Type.Integer({
            minimum: 0,
            maximum: 1_000_000,
            description: 'Its share of what circulates, in millionths, rounded down.',
          }),
        },
        { title: 'TokenHolder' },
      ),
    ),
  },
  { title: 'TokenHolderList' },
);

/** How many of the largest holders are summed. */
export const distributionSizes = [1, 10, 50, 100] as const;

/** Answer of /tokens/{token_id}/distribution. */
export const TokenDistribution = Strict(
  {
    as_of: AsOf,
    token_id: TokenId('The token.'),
    holders: Count('Addresses with a positive balance.'),
    circulating: TokenAmount('What they have in all.'),
    largest: Type.Array(
      Strict(
        {
          size: Type.Integer({ description: `So many of the largest: ${distributionSizes.join(', ')}.` }),
          holders: Count('How many these are: fewer where there are not as many.'),
          balance: TokenAmount('What they have in all.'),
          share_ppm: Type.Integer({
            minimum: 0,
            maximum: 1_000_000,
            description: 'Their share of what circulates, in millionths, rounded down; 0 where nothing does.',
          }),
        },
        { title: 'TokenShare' },
      ),
    ),
  },
  { title: 'TokenDistribution' },
);
export type TokenDistributionJson = Static<typeof TokenDistribution>;

/** Kinds of operations. */
export const tokenKinds = ['CREATE', 'MINT', 'TRANSFER', 'BURN', 'SWEEP'] as const;

/** An operation in the chain; a SWEEP is there once for each token that it moved. */
export const TokenEventView = Strict(
  {
    kind: Nullable(OneOf(tokenKinds, { description: 'Null for a payload that cannot be read.' })),
    valid: Type.Boolean({ description: 'Whether it changed anything.' }),
    reason: Nullable(
      Type.String({
        description: 'Why it is invalid: a code of docs/protocols/tokens.md. Null when it is valid.',
      }),
    ),
    token_id: Nullable(
      TokenId('The token; null for an invalid CREATE or SWEEP, and where none can be read.'),
    ),
    ticker: Nullable(
      Type.String({
        description: 'Its ticker; null where there is no such token, and no CREATE that names one.',
      }),
    ),
    txid: Hash('The transaction.'),
    height: Count('Its block.'),
    position: Count('Its index in the block.'),
    block_hash: Hash('The block.'),
    time: Time('What the miner of the block wrote into its header.'),
    confirmations: Count('Blocks from it to the tip, both counted.'),
    sender: Nullable(OwnerView),
    amount: Nullable(
      TokenAmount(
        'Created, minted, transferred in all, burned, or moved of this token by a SWEEP - or asked for, when it is invalid.',
      ),
    ),
    recipients: Type.Array(
      Strict({ ...OwnerView.properties, amount: TokenAmount('What it got.') }, { title: 'TokenRecipient' }),
      { description: 'Who got what; empty for a BURN and for what is invalid.' },
    ),
    closes_minting: Type.Boolean({ description: 'Whether it is a MINT that closes minting.' }),
  },
  { title: 'TokenEvent' },
);
export type TokenEventJson = Static<typeof TokenEventView>;

/** Query of a list of operations. */
export const TokenEventQuery = Strict({
  include: Type.Optional(
    OneOf(['invalid'], { description: 'Lists invalid operations as well, each with its reason.' }),
  ),
  ...pageParameters,
});

/** Answer of the lists of operations. */
export const TokenEventList = Strict({ as_of: AsOf, ...pageOf(TokenEventView) }, { title: 'TokenEventList' });

/** Query of /tok/events. */
export const TokenFeedQuery = Strict({
  from_height: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: MAX_HEIGHT,
      description:
        'The first block; from the first operation on unless given. Above the tip there is nothing yet.',
    }),
  ),
  to_height: Type.Optional(
    Type.Integer({ minimum: 0, maximum: MAX_HEIGHT, description: 'The last block; the tip unless given.' }),
  ),
  ...TokenEventQuery.properties,
});

/** Query of /addresses/{address}/tokens. */
export const AddressTokenQuery = Strict({
  height: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: MAX_HEIGHT,
      description: 'Balances behind this block of the best chain; behind the tip unless given.',
    }),
  ),
  ...pageParameters,
});

/** Answer of /addresses/{address}/tokens. */
export const AddressTokenList = Strict(
  {
    as_of: AsOf,
    balances_at: Strict(
      { height: Count('Its height.'), hash: Hash('Its hash.') },
      { description: 'The block behind which the balances are: that of `height`, otherwise the tip.' },
    ),
    ...OwnerView.properties,
    ...pageOf(
      Strict(
        {
          token_id: TokenId('The token.'),
          ticker: Type.String({ description: 'Its ticker.' }),
          decimals: Count('Decimals of its amounts.'),
          balance: TokenAmount('What the address has.'),
          is_issuer: Type.Boolean({ description: 'Whether the address is its issuer.' }),
          mintable: Nullable(
            TokenAmount(
              'What the address may still mint; null when it is not the issuer or minting is closed.',
            ),
          ),
        },
        { title: 'AddressToken' },
      ),
      { description: 'Tokens that it has or issued, the oldest first.' },
    ),
  },
  { title: 'AddressTokenList' },
);

/** Answer of /tok/stats. */
export const TokenStatsView = Strict(
  {
    as_of: AsOf,
    tokens: Count('Tokens.'),
    holders: Count('Positive balances: who has two tokens counts twice.'),
    events: Count('Valid operations.'),
    events_by_kind: Strict({
      CREATE: Count('Creations.'),
      MINT: Count('Mints.'),
      TRANSFER: Count('Transfers.'),
      BURN: Count('Burns.'),
      SWEEP: Count('Sweeps, each once however many tokens it moved.'),
    }),
    invalid_operations: Count('Transactions with a payload of tokens that changed nothing.'),
  },
  { title: 'TokenStats' },
);

/** Answer of /tok/status. */
export const TokenStatusView = Strict(
  {
    as_of: AsOf,
    indexer: Strict(
      {
        state: OneOf(healthStatuses, {
          description: 'As `status` of /api/v1/health, which says what each one means.',
        }),
        lag_blocks: Nullable(
          Count('Blocks that the index is behind the node; null while the node cannot be asked.'),
        ),
      },
      { description: 'Whether what is told here is of the present chain.' },
    ),
    marker: Hex('First four bytes of a payload.'),
    active: Type.Boolean({ description: 'Whether the next block is at or above the activation height.' }),
    activation_height: Count('The first height at which operations count.'),
    sweep_activation_height: Nullable(
      Count('The first height at which there are sweeps; null where there never are.'),
    ),
    genesis_hash: Hash('The chain.'),
    rules_id: RulesId,
    events_hash: Nullable(Hex('events(h) of the tip: see docs/protocols/hash-chain.md.')),
    chain_hash: Hex(
      'chain(h) of the tip: equal on every service that followed the same blocks by the same rules.',
    ),
    state: Nullable(
      Strict({
        height: Count('The latest height whose state is hashed: every 1,000 blocks.'),
        hash: Hex('state(h) of it.'),
      }),
    ),
    create_fee: Strict({
      amount: Nullable(Amount('What a CREATE in the next block pays at least; null before the activation.')),
      ...OwnerView.properties,
    }),
    replicas: ReplicaList,
  },
  { title: 'TokenStatus' },
);

/** Answer of /tok/hashes/{height}. */
export const TokenHashesView = Strict(
  {
    as_of: AsOf,
    height: Count('The height.'),
    block_hash: Hash('Its block.'),
    events_hash: Nullable(Hex('events(h); null below the activation.')),
    chain_hash: Hex('chain(h); zeros below the activation.'),
    state_hash: Nullable(Hex('state(h); null where it is not computed.')),
    rules_id: RulesId,
  },
  { title: 'TokenHashes' },
);
export type TokenHashesJson = Static<typeof TokenHashesView>;
