/**
 * A small chain in memory with real blocks and transactions, for tests of the HTTP interface.
 *
 * It answers a `ChainView` by looking through arrays: slow, and plainly right.
 */

import { createHash } from 'node:crypto';
import { blockHashOf, serializeHeader } from '@coinfront/protocol/block.ts';
import { equalBytes } from '@coinfront/protocol/bytes.ts';
import { merkleRoot } from '@coinfront/protocol/merkle.ts';
import { isUnspendable } from '@coinfront/protocol/script.ts';
import {
  isCoinbase,
  parseTransaction,
  serializeTransaction,
  type Transaction,
  transactionSizes,
  txidOf,
} from '@coinfront/protocol/transaction.ts';
import { workOfBits } from '@coinfront/protocol/work.ts';
import { emptyRateTotals, encodeRateTotals } from '../chain/block-fee-rates.ts';
import type { BlockRecord, ChainTotals, MempoolTotals } from '../chain/chain-view.ts';

/** One transaction of the fixture with where it is. */
export type FixtureTx = {
  id: number;
  txid: Uint8Array;
  raw: Uint8Array;
  tx: Transaction;
  weight: number;
  fee: bigint | undefined;
  /** Undefined in the mempool. */
  height: number | undefined;
  position: number;
};

/** One output of the fixture. */
export type FixtureOutput = {
  id: number;
  owner: FixtureTx;
  vout: number;
  value: bigint;
  script: Uint8Array;
  spentBy: { owner: FixtureTx; vin: number } | undefined;
};

export type FixtureChain = {
  blocks: BlockRecord[];
  txs: FixtureTx[];
  outputs: FixtureOutput[];
  mempool: MempoolTotals;
  /** Adds a block with these transactions after a coinbase that pays `payTo`. */
  addBlock(payTo: Uint8Array, txs?: readonly Transaction[]): BlockRecord;
  /** Adds transactions to the mempool. */
  addToMempool(txs: readonly Transaction[]): void;
  /** Removes the tip. Its transactions are forgotten. */
  removeTip(): void;
};

const bits = 0x207fffff;
const genesisTime = 1_700_000_000;

/** Time at which everything in the fixture's mempool was first seen, milliseconds since 1970. */
export const fixtureSeenMs = 1_700_900_000_000;

const noTotals: ChainTotals = {
  size: 0,
  weight: 0,
  txs: 0,
  outputs: 0,
  inputs: 0,
  issued: 0n,
  burned: 0n,
  coinbasePaid: 0n,
  utxos: 0,
  utxoValue: 0n,
  fees: 0n,
  rates: encodeRateTotals(emptyRateTotals),
};

/** Spends outpoints to scripts, with an empty script and the given witness. */
export function makeTx(
  inputs: readonly { txid: Uint8Array; vout: number; sequence?: number }[],
  outputs: readonly { value: bigint; script: Uint8Array }[],
  witness: readonly Uint8Array[] = [],
): Transaction {
  const tx = {
    version: 2,
    inputs: inputs.map(({ txid, vout, sequence = 0xffffffff }) => ({
      prevTxid: txid,
      prevVout: vout,
      scriptSig: new Uint8Array(0),
      sequence,
      witness: [...witness],
    })),
    outputs: outputs.map((output) => ({ ...output })),
    locktime: 0,
    hasWitness: witness.length > 0,
    mweb: undefined,
  } as Transaction;
  return tx;
}

function makeCoinbase(height: number, payTo: Uint8Array, value: bigint): Transaction {
  const tx = makeTx([{ txid: new Uint8Array(32), vout: 0xffffffff }], [{ value, script: payTo }]);
  const scriptSig = Uint8Array.of(4, height & 0xff, (height >> 8) & 0xff, height >> 16, 0x51);
  tx.inputs[0]!.scriptSig = scriptSig;
  return tx;
}

/** Creates a chain of one block. */
export function createFixtureChain(genesisScript: Uint8Array): FixtureChain {
  const chain: FixtureChain = {
    blocks: [],
    txs: [],
    outputs: [],
    mempool: { version: 1, txs: 0, vsize: 0, fees: 0n },
    addBlock(payTo, txs = []) {
      const height = chain.blocks.length;
      const before = chain.blocks.at(-1);
      const firstTxId = chain.txs.length;
      const records = txs.map((tx, i) => addTx(chain, tx, height, i + 1));
      const fees = records.reduce((sum, { fee }) => sum + (fee ?? 0n), 0n);
      const coinbase = addTx(chain, makeCoinbase(height, payTo, 50_00000000n + fees), height, 0);
      // The coinbase comes first in chain order.
      chain.txs.splice(firstTxId, chain.txs.length - firstTxId, coinbase, ...records);
      for (let i = firstTxId; i < chain.txs.length; i++) chain.txs[i]!.id = i;
      const block = makeBlock(chain, before, firstTxId, fees);
      chain.blocks.push(block);
      return block;
    },
    addToMempool(txs) {
      for (const tx of txs) {
        const { weight, fee } = addTx(chain, tx, undefined, 0);
        chain.mempool = {
          version: chain.mempool.version + 1,
          txs: chain.mempool.txs + 1,
          vsize: chain.mempool.vsize + Math.ceil(weight / 4),
          fees: chain.mempool.fees + (fee ?? 0n),
        };
      }
    },
    removeTip() {
      const tip = chain.blocks.pop();
      if (tip === undefined) return;
      const gone = chain.txs.filter(({ height }) => height === tip.height);
      chain.txs = chain.txs.filter((tx) => !gone.includes(tx));
      chain.outputs = chain.outputs.filter(({ owner }) => !gone.includes(owner));
      for (const output of chain.outputs) {
        if (output.spentBy !== undefined && gone.includes(output.spentBy.owner)) output.spentBy = undefined;
      }
    },
  };
  chain.addBlock(genesisScript);
  return chain;
}

function addTx(
  chain: FixtureChain,
  made: Transaction,
  height: number | undefined,
  position: number,
): FixtureTx {
  const raw = serializeTransaction(made, { witness: true });
  const parsed = parseTransaction(raw);
  if (!parsed.ok) throw new Error(`the fixture made a malformed transaction: ${parsed.reason}`);
  const tx = parsed.value;
  const coinbase = isCoinbase(tx);
  const owner: FixtureTx = {
    id: chain.txs.length,
    txid: txidOf(tx),
    raw,
    tx,
    weight: transactionSizes(tx).weight,
    fee: undefined,
    height,
    position,
  };
  let paid = 0n;
  if (!coinbase) {
    for (const [vin, input] of tx.inputs.entries()) {
      const spent = findOutput(chain, input.prevTxid, input.prevVout);
      if (spent === undefined) throw new Error('the fixture spends an output that is not there');
      spent.spentBy = { owner, vin };
      paid += spent.value;
    }
  }
  for (const [vout, { value, script }] of tx.outputs.entries()) {
    chain.outputs.push({ id: chain.outputs.length, owner, vout, value, script, spentBy: undefined });
    paid -= value;
  }
  if (!coinbase) owner.fee = paid;
  chain.txs.push(owner);
  return owner;
}

/** The output at an outpoint. */
export function findOutput(chain: FixtureChain, txid: Uint8Array, vout: number): FixtureOutput | undefined {
  return chain.outputs.find((output) => output.vout === vout && equalBytes(output.owner.txid, txid));
}

function makeBlock(
  chain: FixtureChain,
  before: BlockRecord | undefined,
  firstTxId: number,
  fees: bigint,
): BlockRecord {
  const height = chain.blocks.length;
  const txs = chain.txs.slice(firstTxId);
  const time = genesisTime + height * 600;
  const header = serializeHeader({
    version: 0x20000000,
    prevHash: before?.hash ?? new Uint8Array(32),
    merkleRoot: merkleRoot(txs.map(({ txid }) => txid)),
    time,
    bits,
    nonce: height,
  });
  const size = 81 + txs.reduce((sum, { raw }) => sum + raw.length, 0);
  const weight = 81 * 4 + txs.reduce((sum, tx) => sum + tx.weight, 0);
  const coinbaseValue = txs[0]!.tx.outputs.reduce((sum, { value }) => sum + value, 0n);
  return {
    height,
    hash: blockHashOf(header),
    header,
    time,
    medianTimePast: time - 3000,
    chainwork: (before?.chainwork ?? 0n) + workOfBits(bits),
    size,
    strippedSize: (weight - size) / 3,
    weight,
    txCount: txs.length,
    hasExtension: false,
    firstTxId,
    fees,
    coinbaseValue,
    totals: {
      ...addTotals(chain, before?.totals ?? noTotals, txs, fees, coinbaseValue),
      size: (before?.totals.size ?? 0) + size,
      weight: (before?.totals.weight ?? 0) + weight,
    },
  };
}

function addTotals(
  chain: FixtureChain,
  before: ChainTotals,
  txs: readonly FixtureTx[],
  fees: bigint,
  coinbaseValue: bigint,
): Omit<ChainTotals, 'size' | 'weight'> {
  const made = chain.outputs.filter(({ owner }) => txs.includes(owner));
  const burned = made
    .filter(({ script }) => isUnspendable(script))
    .reduce((sum, { value }) => sum + value, 0n);
  const unspent = chain.outputs.filter(
    ({ spentBy, script, owner }) =>
      owner.height !== undefined && spentBy?.owner.height === undefined && !isUnspendable(script),
  );
  return {
    txs: before.txs + txs.length,
    outputs: before.outputs + made.length,
    inputs: before.inputs + txs.slice(1).reduce((sum, { tx }) => sum + tx.inputs.length, 0),
    issued: before.issued + coinbaseValue - fees,
    burned: before.burned + burned,
    coinbasePaid: before.coinbasePaid + coinbaseValue,
    utxos: unspent.length,
    utxoValue: unspent.reduce((sum, { value }) => sum + value, 0n),
    fees: before.fees + fees,
    // Nothing in the fixture asks for them.
    rates: before.rates,
  };
}

/** SHA-256. */
export function sha256Of(bytes: Uint8Array): Uint8Array {
  return createHash('sha256').update(bytes).digest();
}
