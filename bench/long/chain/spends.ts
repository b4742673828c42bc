import { hash } from 'node:crypto';
import { hashTogether, MAX_LANE_MESSAGE_BYTES } from '@coinfront/protocol/sha256-lanes.ts';
import type { Random } from '../../chain/random.ts';
import { OUTPOINT_BYTES } from './coin-records.ts';
import type { CoinStore } from './coin-store.ts';
import { type Mix, tableOf } from './mixes.ts';
import { OUTPUT_BYTES, readOutput, writeOutputs } from './outputs.ts';
import type { Payees } from './payees.ts';
import type { SpentAnswer } from './spent-answer.ts';
import type { Witnesses } from './witnesses.ts';
import { writeCount, writeUint32 } from './write-bytes.ts';

/** What transactions are made of, kept from block to block. */
export type SpendSources = {
  random: Random;
  coins: CoinStore;
  payees: Payees;
  witnesses: Witnesses;
  /** Is told what the transactions spend. */
  spent: SpentAnswer;
};

/** Writes transactions behind each other into a block. */
export type SpendWriter = {
  /**
   * Writes up to `count` transactions, hashes them together and adds their outputs to the unspent ones; fewer when nothing
   * is left to spend. Their ids go to `txids` from `firstTx` on.
   */
  write(
    order: { count: number; firstTx: number; at: number },
    target: Uint8Array,
    txids: Uint8Array,
  ): { end: number; written: number; fees: number };
};

/** Transactions hashed together at most: their outputs can be spent by what follows in the same block. */
export const BATCH_SPENDS = 250;

const VERSION = 2;
const SEQUENCE = 0xffffffff;
const INPUT_BYTES = OUTPOINT_BYTES + 5;
const VERSION_AND_MARKER_BYTES = 6;
/** About what a node relays, in base units a virtual byte. */
const FEE_RATE = 1;

/** Makes a writer of spends of native segwit outputs (BIP-141, BIP-144). */
export function createSpendWriter(mix: Mix, sources: SpendSources): SpendWriter {
  const { random, coins, payees, witnesses, spent } = sources;
  const inputTable = tableOf(mix.inputs);
  const outputTable = tableOf(mix.outputs);
  /** Where a transaction's parts begin in the block: its body behind version and marker, its outputs, its witnesses. */
  const starts = new Int32Array(BATCH_SPENDS);
  const outputsAt = new Int32Array(BATCH_SPENDS);
  const bodyEnds = new Int32Array(BATCH_SPENDS);
  const outputCounts = new Int32Array(BATCH_SPENDS);
  let fees = 0;

  const findOdd = (): Mix['odd'][number] | undefined => {
    if (mix.odd.length === 0) return undefined;
    let drawn = random.fraction();
    return mix.odd.find(({ share }) => {
      drawn -= share;
      return drawn < 0;
    });
  };

  const writeOne = (tx: number, target: Uint8Array, start: number): number => {
    const odd = findOdd();
    const wanted = odd?.inputs ?? inputTable[random.below(100)]!;
    const inputs = Math.min(wanted, coins.size());
    const outputs = odd?.outputs ?? outputTable[random.below(100)]!;
    starts[tx] = start;
    let at = writeUint32(target, start, VERSION);
    target[at] = 0;
    target[at + 1] = 1;
    at = writeCount(target, at + 2, inputs);
    spent.addTx(inputs);
    let total = 0;
    for (let input = 0; input < inputs; input++) {
      const coin = coins.take(random, target, at);
      total += coin.value;
      spent.addCoin(coin);
      target[at + OUTPOINT_BYTES] = 0;
      at = writeUint32(target, at + OUTPOINT_BYTES + 1, SEQUENCE);
    }
    const fee = Math.min(
      Math.floor(total / 100),
      FEE_RATE * (10 + inputs * (INPUT_BYTES + 27) + outputs * OUTPUT_BYTES),
    );
    fees += fee;
    const split = { count: outputs, total: total - fee, toHub: mix.alwaysHub };
    const end = writeOutputs(split, sources, target, at);
    outputsAt[tx] = end - outputs * OUTPUT_BYTES;
    outputCounts[tx] = outputs;
    bodyEnds[tx] = end;
    at = end;
    for (let input = 0; input < inputs; input++) at = witnesses.write(target, at);
    return writeUint32(target, at, 0);
  };

  const hashAll = (count: number, firstTx: number, block: Uint8Array, txids: Uint8Array): void => {
    const take = (tx: number, hashes: Uint8Array, from: number): void => {
      const to = (firstTx + tx) * 32;
      for (let i = 0; i < 32; i++) txids[to + i] = hashes[from + i]!;
    };
    hashTogether({ twice: true, take }, (messages, reserve) => {
      for (let tx = 0; tx < count; tx++) {
        const body = starts[tx]! + VERSION_AND_MARKER_BYTES;
        const length = bodyEnds[tx]! - body + 8;
        if (length <= MAX_LANE_MESSAGE_BYTES) {
          copyStripped(block, body, length, messages, reserve(tx, length));
        } else {
          const message = new Uint8Array(length);
          copyStripped(block, body, length, message, 0);
          const once = hash('sha256', message, 'buffer');
          txids.set(hash('sha256', once, 'buffer'), (firstTx + tx) * 32);
        }
      }
    });
  };

  const addOutputs = (count: number, firstTx: number, block: Uint8Array, txids: Uint8Array): void => {
    for (let tx = 0; tx < count; tx++) {
      for (let output = 0; output < outputCounts[tx]!; output++) {
        const coin = readOutput(block, outputsAt[tx]! + output * OUTPUT_BYTES, payees);
        coins.add(txids, (firstTx + tx) * 32, output, coin);
      }
    }
  };

  return {
    write({ count, firstTx, at: start }, target, txids) {
      let at = start;
      let written = 0;
      fees = 0;
      for (; written < Math.min(count, BATCH_SPENDS) && coins.size() > 0; written++) {
        at = writeOne(written, target, at);
      }
      hashAll(written, firstTx, target, txids);
      addOutputs(written, firstTx, target, txids);
      return { end: at, written, fees };
    },
  };
}

/** A transaction without marker and witness (BIP-141): the hash of these bytes is its id. */
function copyStripped(
  block: Uint8Array,
  body: number,
  length: number,
  target: Uint8Array,
  start: number,
): void {
  const to = writeUint32(target, start, VERSION);
  const bytes = length - 8;
  for (let i = 0; i < bytes; i++) target[to + i] = block[body + i]!;
  writeUint32(target, to + bytes, 0);
}
