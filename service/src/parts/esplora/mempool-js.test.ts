import { toDisplayHash } from '@coinfront/protocol/bytes.ts';
import mempoolJS from '@mempool/mempool.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addressOf, createFixtureServer, makeUnknownTx, payee } from '../../testing/fixture-server.ts';

// The client of mempool.space as it comes from the registry: every read that it has for Bitcoin, over real HTTP.

const { app, chain, sent } = createFixtureServer();
const address = addressOf(payee);
const payment = chain.txs.find(({ tx }) => tx.outputs.length === 32)!;
const [pending] = chain.txs.filter(({ height }) => height === undefined);
const txid = toDisplayHash(payment.txid);
const waiting = toDisplayHash(pending!.txid);
const hash = toDisplayHash(chain.blocks[110]!.hash);
const tip = toDisplayHash(chain.blocks[120]!.hash);

type Bitcoin = ReturnType<typeof mempoolJS>['bitcoin'];
let bitcoin: Bitcoin;

beforeAll(async () => {
  const origin = await app.listen({ host: '127.0.0.1', port: 0 });
  bitcoin = mempoolJS({ protocol: 'http', hostname: `${new URL(origin).host}/esplora` }).bitcoin;
});
afterAll(() => app.close());

const hex = expect.stringMatching(/^[0-9a-f]+$/);
const numbers = (...keys: string[]) => Object.fromEntries(keys.map((key) => [key, expect.any(Number)]));
const listOf = (item: unknown) => expect.arrayContaining([item]);
const tx = (id: string) =>
  expect.objectContaining({ txid: id, vin: expect.any(Array), vout: expect.any(Array) });
const block = (id: string) => expect.objectContaining({ id, ...numbers('height', 'timestamp', 'tx_count') });

/** What is asked, and what of the answer its programs read. */
const reads: [name: string, ask: (api: Bitcoin) => Promise<unknown>, answer: unknown][] = [
  [
    'addresses.getAddress',
    ({ addresses }) => addresses.getAddress({ address }),
    expect.objectContaining({ address, chain_stats: expect.objectContaining({ funded_txo_count: 31 }) }),
  ],
  ['addresses.getAddressTxs', ({ addresses }) => addresses.getAddressTxs({ address }), listOf(tx(txid))],
  [
    'addresses.getAddressTxs after one',
    ({ addresses }) => addresses.getAddressTxs({ address, after_txid: txid }),
    [],
  ],
  [
    'addresses.getAddressTxsChain',
    ({ addresses }) => addresses.getAddressTxsChain({ address }),
    listOf(tx(txid)),
  ],
  [
    'addresses.getAddressTxsMempool',
    ({ addresses }) => addresses.getAddressTxsMempool({ address }),
    listOf(tx(waiting)),
  ],
  [
    'addresses.getAddressTxsUtxo',
    ({ addresses }) => addresses.getAddressTxsUtxo({ address }),
    listOf(expect.objectContaining({ txid, value: 100_000_000 })),
  ],
  ['blocks.getBlock', ({ blocks }) => blocks.getBlock({ hash }), block(hash)],
  [
    'blocks.getBlockStatus',
    ({ blocks }) => blocks.getBlockStatus({ hash }),
    expect.objectContaining({ in_best_chain: true, height: 110 }),
  ],
  [
    'blocks.getBlockTxs',
    ({ blocks }) => blocks.getBlockTxs({ hash, start_index: 0 }),
    [expect.anything(), tx(txid)],
  ],
  ['blocks.getBlockTxids', ({ blocks }) => blocks.getBlockTxids({ hash }), [expect.any(String), txid]],
  ['blocks.getBlockTxid', ({ blocks }) => blocks.getBlockTxid({ hash, index: 1 }), txid],
  ['blocks.getBlockRaw', ({ blocks }) => blocks.getBlockRaw({ hash }), expect.any(String)],
  ['blocks.getBlockHeader', ({ blocks }) => blocks.getBlockHeader({ hash }), hex],
  ['blocks.getBlockHeight', ({ blocks }) => blocks.getBlockHeight({ height: 110 }), hash],
  ['blocks.getBlocks', ({ blocks }) => blocks.getBlocks({ start_height: 110 }), listOf(block(hash))],
  ['blocks.getBlocksTipHeight', ({ blocks }) => blocks.getBlocksTipHeight(), 120],
  ['blocks.getBlocksTipHash', ({ blocks }) => blocks.getBlocksTipHash(), tip],
  [
    'difficulty.getDifficultyAdjustment',
    ({ difficulty }) => difficulty.getDifficultyAdjustment(),
    expect.objectContaining(
      numbers(
        'progressPercent',
        'difficultyChange',
        'remainingBlocks',
        'remainingTime',
        'nextRetargetHeight',
      ),
    ),
  ],
  [
    'fees.getFeesRecommended',
    ({ fees }) => fees.getFeesRecommended(),
    expect.objectContaining(numbers('fastestFee', 'halfHourFee', 'hourFee', 'minimumFee')),
  ],
  [
    'fees.getFeesMempoolBlocks',
    ({ fees }) => fees.getFeesMempoolBlocks(),
    [expect.objectContaining({ nTx: 2, totalFees: 20_000 })],
  ],
  ['fees.getCPFP', ({ fees }) => fees.getCPFP({ txid: waiting }), expect.objectContaining({ ancestors: [] })],
  [
    'mempool.getMempool',
    ({ mempool }) => mempool.getMempool(),
    expect.objectContaining({ count: 2, total_fee: 20_000 }),
  ],
  ['mempool.getMempoolTxids', ({ mempool }) => mempool.getMempoolTxids(), listOf(waiting)],
  [
    'mempool.getMempoolRecent',
    ({ mempool }) => mempool.getMempoolRecent(),
    listOf(expect.objectContaining({ txid: waiting, ...numbers('fee', 'vsize', 'value') })),
  ],
  ['transactions.getTx', ({ transactions }) => transactions.getTx({ txid }), tx(txid)],
  [
    'transactions.getTxStatus',
    ({ transactions }) => transactions.getTxStatus({ txid }),
    expect.objectContaining({ confirmed: true, block_hash: hash }),
  ],
  ['transactions.getTxHex', ({ transactions }) => transactions.getTxHex({ txid }), hex],
  ['transactions.getTxRaw', ({ transactions }) => transactions.getTxRaw({ txid }), expect.any(String)],
  [
    'transactions.getTxMerkleBlockProof',
    ({ transactions }) => transactions.getTxMerkleBlockProof({ txid }),
    hex,
  ],
  [
    'transactions.getTxMerkleProof',
    ({ transactions }) => transactions.getTxMerkleProof({ txid }),
    expect.objectContaining({ block_height: 110, pos: 1 }),
  ],
  [
    'transactions.getTxOutspend',
    ({ transactions }) => transactions.getTxOutspend({ txid, vout: 0 }),
    expect.objectContaining({ spent: true }),
  ],
  [
    'transactions.getTxOutspends',
    ({ transactions }) => transactions.getTxOutspends({ txid }),
    listOf({ spent: false }),
  ],
];

describe('@mempool/mempool.js', () => {
  test.each(reads)('%s', async (_, ask, answer) => {
    expect(await ask(bitcoin)).toEqual(answer);
  });

  test('has no other reads than these', () => {
    const { addresses, blocks, difficulty, fees, mempool, transactions } = bitcoin;
    const groups = { addresses, blocks, difficulty, fees, mempool, transactions };
    const all = Object.entries(groups).flatMap(([group, calls]) =>
      Object.keys(calls).map((call) => `${group}.${call}`),
    );
    const asked = new Set(reads.map(([name]) => name.split(' ')[0]!));
    expect(all.filter((name) => !asked.has(name)).sort()).toEqual([
      'difficulty.getHashrate',
      'transactions.postTx',
    ]);
  });

  test('sends a transaction', async () => {
    const made = makeUnknownTx();
    expect(await bitcoin.transactions.postTx({ txhex: made.hex })).toBe(made.txid);
    expect(sent.at(-1)).toBe(made.hex);
  });

  test('is told in words what is not served', async () => {
    await expect(bitcoin.difficulty.getHashrate({ interval: '1m' })).rejects.toMatchObject({
      response: { status: 404, data: expect.any(String) },
    });
    await expect(bitcoin.transactions.getTx({ txid: '0'.repeat(64) })).rejects.toMatchObject({
      response: { status: 404, data: expect.any(String) },
    });
  });
});
