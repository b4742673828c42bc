/** The chain API: schemas of the service's and the network's state, supply, fees, releases. */

import Type, { type Static } from 'typebox';
import { Amount, Count, Hash, Hex, Nullable, OneOf, Strict, Time } from './common.ts';
import { HashrateWindowView, PoolShareView } from './mining.ts';
import { Currency } from './rates.ts';

/** States of /health, from best to worst. */
export const healthStatuses = [
  'ready',
  'lagging',
  'syncing',
  'starting',
  'node_unavailable',
  'node_behind',
  'node_pruned',
  'reorg_too_deep',
  'other_chain',
  'index_failed',
  'index_unavailable',
] as const;

const NodeErrorKindView = Type.String({
  description:
    'What is wrong with the node: unreachable, timeout, unauthorized, forbidden, warming_up, busy, rpc, invalid_answer, other_chain.',
});

const RefusedMethodView = Strict({
  method: Type.String({ description: 'Its name.' }),
  effect: Type.String({ description: 'What does not work without it.' }),
  optional: Type.Boolean({ description: 'Whether the service does without: no answer fails for its sake.' }),
});

/** Query of /health. */
export const HealthQuery = Strict({
  require: Type.Optional(
    OneOf(['ready'] as const, {
      description: 'With `ready`, the answer is 503 unless `ready` is true: for load balancers.',
    }),
  ),
});

const SyncProgressView = Strict(
  {
    since: Time('When this process first looked at the sync.'),
    target_height: Count("Height of the node's tip."),
    transactions: Count('Transactions that are indexed.'),
    target_transactions: Nullable(
      Count(
        "Transactions of the node's chain up to its tip, or about so many; null while that is not known.",
      ),
    ),
    target_estimated: Type.Boolean({
      description: 'Whether the node does not tell, and they were estimated from some of its blocks.',
    }),
    transactions_per_second: Nullable(
      Count('Pace of the last two minutes; null until it has been watched for ten seconds.'),
    ),
    seconds_left: Nullable(
      Count(
        'At this pace. Counted in transactions, since blocks grow; null while pace or target is not known, and while nothing goes on.',
      ),
    ),
  },
  { description: 'How far the index has come while it is more than ten blocks behind; null otherwise.' },
);

/** Answer of /health. */
export const Health = Strict(
  {
    status: OneOf(healthStatuses, {
      description:
        'ready: at most 1 block behind the node. lagging: 2 to 10 behind. syncing: more, or the node itself catches up. ' +
        'starting: no block indexed yet, or the node not heard of yet. In all states below reads go on with what is indexed, except in the last. ' +
        'node_unavailable: the node does not answer. node_behind: it has a part of the indexed chain only, and is waited for. ' +
        'node_pruned: it has deleted blocks that are not indexed yet. reorg_too_deep: it left the indexed chain by more ' +
        'blocks than are undone (COINFRONT_REORG_HORIZON). other_chain: its genesis block is another. index_failed: ' +
        'indexing fails on this side, or a part of the index is damaged, and what needs that is answered with 503: see `problem` ' +
        'and the log. index_unavailable: the database does not answer.',
    }),
    ready: Type.Boolean({ description: 'Whether reads are current: status ready or lagging.' }),
    problem: Nullable(
      Type.String({
        description: 'What is wrong and what its operator can do; null while nothing has to be done.',
      }),
    ),
    lag_blocks: Nullable(
      Count('Blocks that the index is behind the node; null while the node does not answer.'),
    ),
    sync: Nullable(SyncProgressView),
    index: Strict({
      height: Nullable(Count('Height of the tip that is indexed.')),
      tip: Nullable(Hash('Its hash.')),
      tip_time: Nullable(Time('What its miner wrote.')),
      tip_age_seconds: Nullable(Count('Seconds since then.')),
    }),
    node: Strict({
      available: Type.Boolean({ description: 'Whether the node answered the last time it was asked.' }),
      height: Nullable(Count('Blocks that the node has, when it last answered.')),
      headers: Nullable(Count('Headers that the node has.')),
      since: Nullable(Time('Since when it is available, or not.')),
      error: Nullable(NodeErrorKindView),
      refused_methods: Nullable(
        Type.Array(RefusedMethodView, {
          description:
            'Methods of its RPC that the node does not have, or does not let this process call; null until it could be asked.',
        }),
      ),
    }),
    version: Type.String({ description: 'Version of this service.' }),
  },
  { title: 'Health' },
);

/** Answer of /config. */
export const NetworkConfig = Strict(
  {
    id: Type.String({ description: 'Name of the coin profile.' }),
    name: Type.String({ description: 'Name of the coin.' }),
    ticker: Type.String({ description: 'Its ticker.' }),
    decimals: Count('Decimals of every amount.'),
    chain: Type.String({ description: "The node's word for the network: main, test, regtest." }),
    genesis_hash: Hash('Hash of the first block.'),
    uri_scheme: Type.String({ description: 'Scheme of payment URIs.' }),
    address: Strict({
      p2pkh_versions: Type.Array(Count('Version byte; the first is written, all are read.')),
      p2sh_versions: Type.Array(Count('Version byte; the first is written, all are read.')),
      bech32_hrp: Nullable(
        Type.String({ description: 'Prefix of segwit addresses; null when the coin has none.' }),
      ),
    }),
    wif_version: Count('Version byte of private keys, for wallets. No key is ever sent to this service.'),
    extended_public_version: Count('Version of extended public keys (BIP-32).'),
    extended_private_version: Count('Version of extended private keys (BIP-32), for wallets.'),
    bip44_coin_type: Count('Coin type of BIP-44 paths.'),
    message_magic: Type.String({ description: 'First line of signed messages.' }),
    p2p_magic: Hex('First bytes of each message between nodes.'),
    p2p_port: Count('Port of the peer-to-peer network.'),
    block_interval_seconds: Type.Number({ description: 'Intended time between blocks, seconds.' }),
    coinbase_maturity: Count('A coinbase of height h can be spent from height h + this on.'),
    dust_limit: Amount('Smaller outputs are not relayed: wallets make none.'),
    max_supply: Nullable(Amount('All coins that will ever be; null when no rule limits them.')),
    auxpow: Type.Boolean({ description: 'Whether the chain is merge-mined (AuxPoW).' }),
    confirmations: Strict({
      buried: Count('From how many confirmations on responses are cached for long.'),
      proof_final: Count('From how many confirmations on an anchored digest counts as final.'),
    }),
    payments: Strict({
      zero_conf_max: Nullable(
        Amount('Up to this a payment may ask for 0 confirmations; null: no payment may.'),
      ),
      confirmations_default: Count('Confirmations that a payment needs unless it says otherwise.'),
      confirmations_max: Count('At most.'),
      expires_in_default: Count('Seconds until a payment expires unless it says otherwise.'),
      expires_in_min: Count('At least.'),
      expires_in_max: Count('At most.'),
      wait_after_expiry: Count(
        'Seconds past its expiry that a payment that was seen in full, paid before or accepted waits for blocks.',
      ),
      currencies: Type.Array(Currency, {
        description: 'Currencies that a `price` can be in; none where no rates are configured.',
      }),
    }),
    limits: Strict({
      page_default: Count('Items of a page unless `limit` is given.'),
      page_max: Count('Items of a page at most.'),
      scan_default: Count('Blocks that /mining/address looks at unless `scan` is given.'),
      scan_max: Count('Blocks that it looks at at most.'),
      broadcast_bytes: Count('Bytes of a transaction that /broadcast accepts.'),
      requests_per_minute: Nullable(Count('Request units for one client; null when unlimited.')),
    }),
  },
  { title: 'NetworkConfig' },
);

/** Answer of /status. */
export const ChainStatus = Strict(
  {
    index: Strict({
      height: Count('Height of the tip that is indexed.'),
      tip: Hash('Its hash.'),
      tip_time: Time('What its miner wrote.'),
      median_time: Time('Median time of the tip.'),
      chainwork: Type.String({ description: 'Work of the chain: 64 hex digits.' }),
      difficulty: Type.Number({ description: 'Difficulty of the tip.' }),
      lag_blocks: Nullable(Count('Blocks behind the node; null while the node does not answer.')),
    }),
    mempool: Strict({
      tx_count: Count('Transactions.'),
      vsize: Count('Virtual bytes.'),
      fees: Amount('Sum of the fees.'),
      version: Count('Changes with each change of the content.'),
    }),
    node: Strict({
      available: Type.Boolean({ description: 'Whether the node answered the last time it was asked.' }),
      error: Nullable(NodeErrorKindView),
      since: Nullable(Time('Since when it is available, or not.')),
      as_of: Nullable(Time('When the values below were read: long ago while it is not available.')),
      chain: Nullable(Type.String({ description: "The node's word for the network." })),
      blocks: Nullable(Count('Blocks that it has.')),
      headers: Nullable(Count('Headers that it has.')),
      initial_block_download: Nullable(Type.Boolean({ description: 'Whether it is still catching up.' })),
      pruned: Nullable(Type.Boolean({ description: 'Whether it has dropped old blocks.' })),
      version: Nullable(Count("The node's version number.")),
      subversion: Nullable(Type.String({ description: 'What it calls itself.' })),
      connections: Nullable(Count('Peers.')),
      warnings: Nullable(Type.String({ description: 'What it warns of; empty when nothing.' })),
    }),
  },
  { title: 'ChainStatus' },
);

/** Answer of /stats. */
export const ChainStats = Strict(
  {
    height: Count('Height of the tip.'),
    difficulty: Type.Number({ description: 'Difficulty of the tip.' }),
    chainwork: Type.String({ description: 'Work of the chain: 64 hex digits.' }),
    hashrate: Type.Array(HashrateWindowView, {
      description: 'Over the latest blocks, shortest window first.',
    }),
    transactions: Count('Transactions of the whole chain, coinbases included.'),
    inputs: Count('Inputs of the whole chain, coinbases not counted.'),
    outputs: Count('Outputs of the whole chain.'),
    utxos: Count('Unspent outputs.'),
    fees: Amount('All fees ever paid.'),
    supply: Strict({
      issued: Amount('Coins made.'),
      circulating: Amount('Coins that can be spent.'),
    }),
    mempool: Strict({
      tx_count: Count('Transactions in the mempool.'),
      vsize: Count('Their virtual bytes.'),
      fees: Amount('Their fees.'),
    }),
    pool: Nullable(PoolShareView),
  },
  { title: 'ChainStats' },
);

/** Answer of /supply. */
export const Supply = Strict(
  {
    height: Count('The supply up to this block.'),
    issued: Amount('Coins made: what all coinbases paid out less the fees in it.'),
    immature: Amount('Paid by coinbases that the next block may not spend yet.'),
    matured: Amount('issued - immature.'),
    burned: Amount('Provably unspendable: data carriers, oversized scripts, the first coinbase.'),
    circulating: Amount('issued - immature - burned: what can be spent.'),
    max_supply: Nullable(Amount('All coins that will ever be; null when no rule limits them.')),
    subsidy: Nullable(Amount('New coins that the next block may make; null when no rule fixes it.')),
    next_subsidy: Nullable(
      Strict({
        height: Count('First height with another subsidy.'),
        subsidy: Nullable(Amount('The subsidy from there on; null when no rule fixes it.')),
        blocks_left: Count('Blocks until then.'),
      }),
    ),
  },
  { title: 'Supply' },
);

/** Fee rates in both usual units. */
const feeRateFields = {
  per_vb: Type.String({ description: 'Base units per virtual byte, 3 decimals.' }),
  per_kvb: Amount('For 1,000 virtual bytes.'),
};

/** Answer of /fee. */
export const FeeReport = Strict(
  {
    minimum: Strict(
      {
        ...feeRateFields,
        source: OneOf(['node', 'default'] as const, { description: 'default: the node has not said yet.' }),
      },
      { description: 'What the node relays at least, its mempool limit included.', title: 'MinimumFee' },
    ),
    estimates: Type.Array(
      Strict(
        {
          target_blocks: Count('To be confirmed within so many blocks.'),
          ...feeRateFields,
          source: OneOf(['node', 'mempool', 'minimum'] as const, {
            description:
              "node: the node's own estimate; beyond the longest wait that it knows, the one for that; between two, the nearest when the " +
              'mempool alone would give less than for a longer or more than for a shorter one. mempool: the rate that a place among the best-paying ' +
              'bytes of that many blocks costs now. minimum: there is room for all, the minimum is enough.',
          }),
        },
        { title: 'FeeEstimate' },
      ),
    ),
    estimates_as_of: Nullable(Time('When the node was last asked; null when it has not answered yet.')),
    mempool: Strict({
      tx_count: Count('Transactions in the mempool.'),
      vsize: Count('Their virtual bytes.'),
      fees: Amount('Their fees.'),
      histogram: Type.Array(
        Strict(
          {
            per_vb: Type.String({
              description: 'Lower bound of the step: base units per virtual byte, 3 decimals.',
            }),
            vsize: Count('Virtual bytes that pay at least this, and less than the step before.'),
            tx_count: Count('Transactions of the step.'),
          },
          { title: 'FeeStep' },
        ),
        { description: 'Highest rate first.' },
      ),
    }),
  },
  { title: 'FeeReport' },
);

export type HealthJson = Static<typeof Health>;
export type ChainStatusJson = Static<typeof ChainStatus>;
export type ChainStatsJson = Static<typeof ChainStats>;
export type SupplyJson = Static<typeof Supply>;
export type FeeReportJson = Static<typeof FeeReport>;
export type NetworkConfigJson = Static<typeof NetworkConfig>;
