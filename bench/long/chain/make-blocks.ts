import { merkleRootOf } from '@coinfront/protocol/block-check.ts';
import { createRandom } from '../../chain/random.ts';
import { createCoinStore } from './coin-store.ts';
import { MOST_COINBASE_BYTES, makeCoinbase } from './coinbase.ts';
import { GENESIS, hashHeader } from './genesis.ts';
import { HEADER_BYTES, writeHeader } from './header.ts';
import type { Mix } from './mixes.ts';
import { createPayees } from './payees.ts';
import { BATCH_SPENDS, createSpendWriter } from './spends.ts';
import { createSpentAnswer } from './spent-answer.ts';
import { createWitnesses } from './witnesses.ts';
import { writeCount } from './write-bytes.ts';

/** A block of a made chain. `bytes` and `spent` are valid until the next one is made. */
export type MadeBlock = {
  height: number;
  /** Internal byte order. */
  hash: Uint8Array;
  bytes: Uint8Array;
  /** What its transactions spend: see spent-answer.ts. */
  spent: Uint8Array;
  transactions: number;
};

/** Makes the blocks of a chain, one after the other, without end. */
export type BlockMaker = { next(): MadeBlock };

const FRONT_BYTES = HEADER_BYTES + 3 + MOST_COINBASE_BYTES;
const BLOCK_BYTES = 64 << 20;
/** More than a batch takes even if all of its transactions were wide ones. */
const BATCH_BYTES = 32 << 20;
/** So many times in a block outputs get spendable for those that follow. */
const BATCHES_A_BLOCK = 10;
const LEAST_BATCH = 8;

/** Starts a chain on the genesis block: the same mix and seed give the same blocks on every machine. */
export function createBlockMaker(mix: Mix, seed: number): BlockMaker {
  const random = createRandom(seed);
  const coins = createCoinStore(mix.ages);
  const witnesses = createWitnesses(random);
  const payees = createPayees(mix.scripts, seed);
  const spent = createSpentAnswer(payees);
  const sources = { random, coins, payees, witnesses, spent };
  const spends = createSpendWriter(mix, sources);
  const buffer = new Uint8Array(BLOCK_BYTES);
  const txids = new Uint8Array((mix.spends[1] + 1) * 32);
  let previous: Uint8Array = hashHeader(GENESIS);
  let height = 0;

  const writeSpends = () => {
    const wanted = mix.spends[0] + random.below(mix.spends[1] - mix.spends[0] + 1);
    const batch = Math.min(BATCH_SPENDS, Math.max(LEAST_BATCH, Math.ceil(wanted / BATCHES_A_BLOCK)));
    let [end, count, fees] = [FRONT_BYTES, 0, 0];
    while (count < wanted && end + BATCH_BYTES < BLOCK_BYTES) {
      const order = { count: Math.min(batch, wanted - count), firstTx: 1 + count, at: end };
      const done = spends.write(order, buffer, txids);
      if (done.written === 0) break;
      end = done.end;
      count += done.written;
      fees += done.fees;
    }
    return { end, count, fees };
  };

  /** Header, count and coinbase go before the spends, where room was left: they depend on them. */
  const writeFront = (coinbase: Uint8Array, transactions: number): number => {
    const coinbaseAt = FRONT_BYTES - coinbase.length;
    buffer.set(coinbase, coinbaseAt);
    const start = coinbaseAt - writeCount(new Uint8Array(3), 0, transactions) - HEADER_BYTES;
    writeCount(buffer, start + HEADER_BYTES, transactions);
    const root = merkleRootOf(txids.subarray(0, transactions * 32));
    writeHeader(buffer, start, { previous, root, height });
    return start;
  };

  return {
    next() {
      height += 1;
      coins.beginBlock();
      witnesses.beginBlock(random);
      spent.begin();
      const { end, count, fees } = writeSpends();
      const coinbase = makeCoinbase({ height, fees, extraNonce: 0 }, sources);
      txids.set(coinbase.txid);
      for (const [output, coin] of coinbase.coins.entries()) coins.add(txids, 0, output, coin);
      const bytes = buffer.subarray(writeFront(coinbase.bytes, count + 1), end);
      previous = hashHeader(bytes);
      const transactions = count + 1;
      return { height, hash: previous, bytes, spent: spent.finish(transactions), transactions };
    },
  };
}
