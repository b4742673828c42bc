/** Mining: schemas of the public pool, its miners and its blocks. What is not known is null, never 0. */

import Type, { type Static } from 'typebox';
import { Amount, AsOf, Count, Hash, Hex, Nullable, OneOf, Strict, Time } from './common.ts';
import { pageOf, pageParameters } from './paging.ts';
import { poolNamePattern } from './pool-name.ts';

const Hashrate = Nullable(
  Type.String({
    pattern: '^[0-9]+\\.[0-9]{3}$',
    description: 'Hashes per second, a decimal number. Null when unknown.',
  }),
);
/** A number from 0 on, null when unknown. */
export const Ratio = (description: string) => Nullable(Type.Number({ minimum: 0, description }));

/** The network's hashrate over the latest blocks. */
export const HashrateWindowView = Strict(
  {
    blocks: Count('Length of the window.'),
    seconds: Nullable(
      Type.Integer({ description: 'Between the header times at its ends; null when unknown.' }),
    ),
    hashes_per_second: Nullable(
      Type.String({
        description: 'Work gained / seconds, a decimal number. Null when unknown, never 0 for it.',
      }),
    ),
    block_interval_seconds: Nullable(Type.Number({ description: 'seconds / blocks.' })),
  },
  { title: 'HashrateWindow' },
);
export type HashrateWindowJson = Static<typeof HashrateWindowView>;

/** Where figures of a pool come from. */
export const poolSourceKinds = ['chain', 'ckpool', 'miningcore', 'public-pool'] as const;
export type PoolSourceKind = (typeof poolSourceKinds)[number];

/** Where figures of a pool come from, and how old they are. */
export const sourceFields = {
  source: OneOf(poolSourceKinds, {
    description: 'What the figures are read from; `chain`: from blocks alone, all others are unknown.',
  }),
  observed_at: Nullable(
    Time('When the source wrote them, or else when it was read. Null when it never was, and for `chain`.'),
  ),
  stale: Type.Boolean({
    description: 'True when the source cannot be read now, or has not changed for five minutes.',
  }),
};

/** Hashrates of a pool, a miner or a machine. */
export const HashrateList = Type.Array(
  Strict(
    {
      window_seconds: Nullable(Count('Over so many seconds; null when the source does not say.')),
      hashes_per_second: Hashrate,
    },
    { title: 'PoolHashrate' },
  ),
  { description: 'As the source gives them, shortest window first.' },
);

const accountingFields = {
  hashrates: HashrateList,
  miners: Nullable(Count('Users with a miner.')),
  workers: Nullable(Count('Connected machines.')),
  effort: Ratio(
    'Difficulty of the shares since the last block / network difficulty: 1 is what one block takes on average.',
  ),
  best_share: Ratio('Highest difficulty of a share.'),
  shares: Strict(
    {
      accepted: Ratio('Sum of the difficulties of accepted shares since the last block.'),
      rejected: Ratio('Sum of the difficulties of rejected ones, as far back as the pool counts.'),
    },
    { title: 'PoolShares' },
  ),
};

/** Where the effort of a block is from. */
export const effortSources = ['pool', 'observed'] as const;

/** Which of them it is; null where the effort is unknown. */
export const EffortSource = Nullable(
  OneOf(effortSources, {
    description:
      '`pool`: as its software reports it. `observed`: the share count of the last reading before the block, and what the hashrate adds from then to the block. Null when the effort is unknown.',
  }),
);

/** Grades of a block that carries the tag. */
export const poolBlockGrades = ['verified', 'tag_only', 'mismatch'] as const;
export type PoolBlockGrade = (typeof poolBlockGrades)[number];

const Grade = OneOf(poolBlockGrades, {
  description:
    'Anybody can write a tag. `verified`: the coinbase also pays the operator, and the split is the published one. `tag_only`: it does not pay the operator. `mismatch`: it does, by another split.',
});

/** States of a block of the pool. */
export const poolBlockStates = ['immature', 'mature', 'orphaned'] as const;

/** A block whose coinbase carries the tag of the pool. */
export const PoolBlockView = Strict(
  {
    height: Count('Its height.'),
    hash: Hash('Its hash.'),
    time: Time('What its miner wrote into the header.'),
    grade: Grade,
    status: OneOf(poolBlockStates, {
      description:
        '`mature`: the coinbase can be spent. `orphaned`: it was in the best chain and another block has its place.',
    }),
    confirmations: Count('Blocks from it to the tip, both counted; 0 when orphaned.'),
    split: Strict(
      {
        total: Amount('All that the coinbase pays.'),
        miner: Amount('What goes to others than the operator, and can be spent.'),
        operator: Amount("What goes to the operator's scripts."),
        miner_ppm: Nullable(
          Count("The miner's share of the total in parts per million; null for a total of 0."),
        ),
        operator_ppm: Nullable(Count("The operator's.")),
        kept: Type.Boolean({ description: 'Whether both shares are the published ones, to one base unit.' }),
      },
      { title: 'PoolSplit' },
    ),
    miner_address: Nullable(
      Type.String({
        description: 'Who is paid most besides the operator; null when its script has no address.',
      }),
    ),
    effort: Ratio('Effort that the block took, where its shares are known.'),
    effort_source: EffortSource,
    luck: Ratio('1 / effort: above 1 is lucky.'),
  },
  { title: 'PoolBlock' },
);
export type PoolBlockJson = Static<typeof PoolBlockView>;

/** Newest blocks of the pool. */
export const PoolBlockList = Strict({ as_of: AsOf, ...pageOf(PoolBlockView) }, { title: 'PoolBlockList' });

/** A further pool, with accounting of its own. */
const OtherPool = Strict(
  {
    name: Type.String({ pattern: poolNamePattern, description: 'Its name, such as merged or home.' }),
    ...sourceFields,
    ...accountingFields,
  },
  { title: 'OtherPool' },
);

/** Answer of /pool. */
export const PoolView = Strict(
  {
    as_of: AsOf,
    ...sourceFields,
    tag: Type.String({ description: 'What its coinbases carry.' }),
    payout_policy: Strict(
      {
        kind: OneOf(['solo'], { description: 'Whoever finds a block is paid by its coinbase.' }),
        miner_percent: Type.Number({ description: 'Share of the coinbase that goes to the miner.' }),
        operator_percent: Type.Number({ description: "The operator's share." }),
        operator_scripts: Type.Array(Hex('A script that the operator is paid by.')),
      },
      { title: 'PayoutPolicy' },
    ),
    stratum: Strict({
      host: Type.String({ description: 'Where miners connect.' }),
      port: Count('TCP port.'),
      url: Type.String({ description: 'Both, as miners are configured with.' }),
    }),
    ...accountingFields,
    expected_block: Strict(
      {
        seconds: Ratio('Work of a block / hashrate.'),
        chance_per_day: Nullable(
          Type.Number({ minimum: 0, maximum: 1, description: '1 - e^(-86400 / seconds).' }),
        ),
        memoryless: Type.Boolean({
          description:
            'Always true: however long the last block is ago, the wait for the next one is the same.',
        }),
        window_seconds: Nullable(Count('Window of the hashrate that was used.')),
      },
      { title: 'ExpectedBlock' },
    ),
    last_block: Nullable(
      Strict(
        {
          height: Count('Its height.'),
          hash: Hash('Its hash.'),
          time: Time('Its header time.'),
          grade: Grade,
        },
        { title: 'LastPoolBlock' },
      ),
    ),
    network: Strict({
      difficulty: Type.Number({ description: 'Difficulty of the tip.' }),
      hashrate: Type.Array(HashrateWindowView, {
        description: 'Over the latest blocks, shortest window first.',
      }),
    }),
    others: Type.Array(OtherPool, {
      description:
        'Further pools of the operator (merged, home). Nothing of theirs is part of the figures above.',
    }),
  },
  { title: 'Pool' },
);
export type PoolJson = Static<typeof PoolView>;
export type OtherPoolJson = Static<typeof OtherPool>;

/** Which pool is meant. */
export const PoolNameParameter = Type.String({
  pattern: poolNamePattern,
  minLength: 1,
  maxLength: 32,
  description: 'Name of a further pool, as /pool lists them; the main pool unless given.',
});

/** Query of /pool/miners. */
export const MinerQuery = Strict({
  source: Type.Optional(PoolNameParameter),
  ...pageParameters,
});

/** A miner as its pool shows it. */
export const MinerView = Strict(
  {
    address: Type.String({
      description: 'The address; shortened where the pool itself publishes no list of them.',
    }),
    hashrates: accountingFields.hashrates,
    workers: Nullable(Count('Connected machines.')),
    best_share: accountingFields.best_share,
    last_share_at: Nullable(Time('When its last share came.')),
  },
  { title: 'Miner' },
);
export type MinerJson = Static<typeof MinerView>;

/** Answer of /pool/miners. */
export const MinerList = Strict(
  {
    ...sourceFields,
    listed: Nullable(Count('Miners in the list; null when the source has none.')),
    complete: Type.Boolean({
      description: 'False when the source has no list, or a longer one than is read.',
    }),
    ...pageOf(MinerView),
  },
  { title: 'MinerList' },
);
export type MinerListJson = Static<typeof MinerList>;

/** The pool in /stats. */
export const PoolShareView = Strict(
  {
    ...sourceFields,
    hashes_per_second: Hashrate,
    estimated_share: Nullable(
      Type.Number({
        minimum: 0,
        description: "Its hashrate / the network's over 144 blocks; an estimate, may pass 1.",
      }),
    ),
    blocks: Type.Array(
      Strict(
        {
          window: Count('So many latest blocks were looked at: fewer on a shorter chain.'),
          verified: Count('Of these, blocks of the pool whose split is the published one.'),
          tagged: Count('Blocks that carry its tag, whatever they pay.'),
          share: Ratio('verified / window.'),
        },
        { title: 'PoolBlockShare' },
      ),
    ),
  },
  { title: 'PoolShare' },
);
export type PoolShareJson = Static<typeof PoolShareView>;
