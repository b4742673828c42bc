import { bytesToHex } from '@coinfront/protocol/bytes.ts';
import { witnessScript } from '@coinfront/protocol/script.ts';
import { serializeTransaction, type Transaction, type TxOutput } from '@coinfront/protocol/transaction.ts';
import type { RunningNode } from '../bench-node.ts';
import type { Coin } from '../chain/coins.ts';
import { payoutDescriptor } from '../chain/mine.ts';
import { openScriptPubKey } from '../chain/scripts.ts';
import { type NewOutput, type RawTransaction, serializeSpend } from '../chain/serialize.ts';
import { MINER_NUMBER } from '../chain/traffic.ts';

/** A coinbase that can be spent, by its internal txid. */
export type Coinbase = { txid: Uint8Array; value: bigint };

/** Who is paid over and over. */
export const HUB_NUMBER = 5_000_000;
const COINBASE_VALUE = 5_000_000_000n;
const MATURITY = 100;
const FILLS = 7;
/** An output of 43 bytes each: a little less than what a block holds. */
const OUTPUTS_OF_FILL = 22_000;
/** Base units of an output of the hub. */
export const FILL_VALUE = 20_000n;
/** The first fill whose outputs nothing here spends. */
const FIRST_UNSPENT_FILL = 3;
/** 173 weight units each. */
const CONSOLIDATED = 22_000;
const SMALL_TXS = 9_000;
const MEMPOOL_TXS = 3_000;
const MEMPOOL_FEE = 2_000n;
const WITNESS_ITEMS = 3_900_000;

/** Mines coinbases that mature; gives those which may be spent. */
export async function mineCoinbases(node: RunningNode, count: number): Promise<Coinbase[]> {
  const hashes = await node.rpc<string[]>('generatetodescriptor', MATURITY + count, payoutDescriptor());
  const found: Coinbase[] = [];
  for (const hash of hashes.slice(0, count)) {
    const { tx } = await node.rpc<{ tx: [string] }>('getblock', hash, 1);
    found.push({ txid: Buffer.from(tx[0], 'hex').reverse(), value: COINBASE_VALUE });
  }
  return found;
}

/** Spends a coinbase to these outputs; what is left goes to the miners. */
export function spendCoinbase({ txid, value }: Coinbase, outputs: readonly NewOutput[]) {
  const coin = { txIndex: 0, vout: 0, number: MINER_NUMBER, value };
  return serializeSpend([coin], outputs, () => txid);
}

/** Mines one block of these transactions; gives its hash. */
export async function mineBlock(node: RunningNode, hexes: readonly string[]): Promise<string> {
  return (await node.rpc<{ hash: string }>('generateblock', payoutDescriptor(), hexes)).hash;
}

/** Blocks and transactions that are worst in one thing each, by display hash. */
export type Heavy = {
  blocks: string[];
  txids: string[];
  hub: Uint8Array;
  /** What is worst in each, by hash. */
  words: ReadonlyMap<string, string>;
  /** Spends so many outputs of the hub that nothing has spent yet. @throws Error where there are too few left */
  spendHub: SpendHub;
};

/** Gives a transaction that a node takes; what its outputs leave goes to the miners. */
export type SpendHub = (count: number, outputs: readonly NewOutput[]) => RawTransaction;

/**
 * A script with 132,000 outputs in transactions of a megabyte, one transaction that spends 22,000 of them, a block of 9,000 small
 * transactions, one transaction with 3.9 million witness items, and a mempool of thousands.
 *
 * @param carrier of an operation that the transaction of the witness items carries
 */
export async function mineHeavyBlocks(
  node: RunningNode,
  takeCoinbase: () => Coinbase,
  carrier: TxOutput,
): Promise<Heavy> {
  const hub = openScriptPubKey(HUB_NUMBER);
  const blocks: string[] = [];
  const txids: string[] = [];
  const words = new Map<string, string>();
  const keep = (list: string[], hash: string, what: string): void => {
    list.push(hash);
    words.set(hash, what);
  };
  const fills: Uint8Array[] = [];
  const outputs = Array.from({ length: OUTPUTS_OF_FILL }, () => ({ value: FILL_VALUE, script: hub }));
  for (let i = 0; i < FILLS; i++) {
    const fill = spendCoinbase(takeCoinbase(), outputs);
    fills.push(fill.txid);
    const block = await mineBlock(node, [fill.hex]);
    if (i > 0) continue;
    keep(blocks, block, 'block of one transaction of 22,000 outputs');
    keep(txids, display(fill.txid), '22,000 outputs');
  }
  const coinOf = (txIndex: number, vout: number): Coin => {
    return { txIndex, vout, number: HUB_NUMBER, value: FILL_VALUE };
  };
  const txidOf = (txIndex: number): Uint8Array => fills[txIndex]!;

  const consolidated = serializeSpend(
    Array.from({ length: CONSOLIDATED }, (_, vout) => coinOf(0, vout)),
    [{ value: FILL_VALUE, script: hub }],
    txidOf,
  );
  keep(blocks, await mineBlock(node, [consolidated.hex]), 'block of one transaction of 22,000 inputs');
  keep(txids, display(consolidated.txid), '22,000 inputs');

  const spendOne = (txIndex: number, vout: number, value: bigint) =>
    serializeSpend([coinOf(txIndex, vout)], [{ value, script: hub }], txidOf);
  const small = Array.from({ length: SMALL_TXS }, (_, vout) => spendOne(1, vout, FILL_VALUE));
  const smallHexes = small.map(({ hex }) => hex);
  keep(blocks, await mineBlock(node, smallHexes), 'block of 9,000 small transactions');
  keep(txids, display(small.at(-1)!.txid), 'last of 9,000 in a block');

  const items = await mineWitnessItems(node, takeCoinbase(), carrier);
  keep(blocks, items.block, 'block of 3.9 million witness items');
  keep(txids, items.txid, '3.9 million witness items');

  for (let vout = 0; vout < MEMPOOL_TXS; vout++) {
    const { hex, txid } = spendOne(2, vout, FILL_VALUE - MEMPOOL_FEE - BigInt(vout % 500));
    await node.rpc('sendrawtransaction', hex);
    if (vout === 0) keep(txids, display(txid), 'in the mempool');
  }
  let spent = FIRST_UNSPENT_FILL * OUTPUTS_OF_FILL;
  const spendHub: SpendHub = (count, spentTo) => {
    if (spent + count > FILLS * OUTPUTS_OF_FILL)
      throw new Error(`Fewer than ${count} outputs of the hub are left.`);
    const coins = Array.from({ length: count }, (_, i) =>
      coinOf(Math.floor((spent + i) / OUTPUTS_OF_FILL), (spent + i) % OUTPUTS_OF_FILL),
    );
    spent += count;
    return serializeSpend(coins, spentTo, txidOf);
  };
  return { blocks, txids, hub, words, spendHub };
}

/** A witness of a version that has no rules yet may be anything. */
async function mineWitnessItems(
  node: RunningNode,
  coinbase: Coinbase,
  carrier: TxOutput,
): Promise<{ block: string; txid: string }> {
  const open = witnessScript(3, new Uint8Array(32).fill(7));
  const paid = spendCoinbase(coinbase, [{ value: coinbase.value, script: open }]);
  await mineBlock(node, [paid.hex]);
  const nothing = new Uint8Array(0);
  const tx: Transaction = {
    version: 2,
    inputs: [
      {
        prevTxid: paid.txid,
        prevVout: 0,
        scriptSig: nothing,
        sequence: 0xffffffff,
        witness: Array.from({ length: WITNESS_ITEMS }, () => nothing),
      },
    ],
    outputs: [carrier, { value: coinbase.value, script: open }],
    locktime: 0,
    hasWitness: true,
    mweb: undefined,
  };
  const block = await mineBlock(node, [bytesToHex(serializeTransaction(tx, { witness: true }))]);
  const { tx: txids } = await node.rpc<{ tx: string[] }>('getblock', block, 1);
  return { block, txid: txids[1]! };
}

function display(txid: Uint8Array): string {
  return Buffer.from(txid).reverse().toString('hex');
}
