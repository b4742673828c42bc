import type { Random } from '../../chain/random.ts';
import { type Coin, createCoinRecords } from './coin-records.ts';
import type { Mix } from './mixes.ts';

/** The unspent outputs of a chain that is being made. */
export type CoinStore = {
  size(): number;
  /** Begins a block: ages are counted in blocks. */
  beginBlock(): void;
  /** Adds an output of the transaction whose id lies at `txids[at ..]`. */
  add(txids: Uint8Array, at: number, vout: number, coin: Coin): void;
  /**
   * Takes one out, of an age that the mix asks for, and writes its outpoint to `target`. An age that has none left is
   * answered with another. What is returned is valid until the next one is taken. Throws when nothing is left.
   */
  take(random: Random, target: Uint8Array, at: number): Coin;
};

/** Of the harsh ages: how many unspent outputs count as recent, and which share of inputs spends one of these. */
const RECENT_COINS = 60_000;
const RECENT_SHARE = 0.7;
/** Of the calibrated ages: outputs at most so many blocks old, and the share of inputs that spends them or younger ones. */
const BANDS = [
  { blocks: 0, upTo: 0.15 },
  { blocks: 10, upTo: 0.45 },
  { blocks: 144, upTo: 0.8 },
  { blocks: 4_320, upTo: 0.95 },
] as const;
const OLDEST_BAND = BANDS.at(-1)!.blocks;
/** Spent ones are hit as well when one of an age is drawn: after so many, another age is tried. */
const TRIES = 64;

/**
 * Makes an empty store. Young outputs are kept in the order in which they were made, spent ones as holes among them; what
 * gets older than any age that is asked for goes into a bag, of which each is as likely.
 */
export function createCoinStore(ages: Mix['ages']): CoinStore {
  const young = createCoinRecords();
  const old = createCoinRecords();
  /** Young ones are numbered from `tail` to below `head`; `blockStarts[b % length]` is the first number of block b. */
  let tail = 0;
  let head = 0;
  let living = 0;
  let oldSize = 0;
  let block = 0;
  const blockStarts = new Float64Array(OLDEST_BAND + 2);

  const retireFirst = (): void => {
    if (young.isThere(tail)) {
      old.copyFrom(oldSize++, young, tail);
      living -= 1;
    }
    tail += 1;
  };
  const startOf = (blocksAgo: number): number =>
    blocksAgo >= block ? tail : Math.max(tail, blockStarts[(block - blocksAgo) % blockStarts.length]!);

  const findYoung = (random: Random, from: number, to: number): number => {
    for (let tries = 0; to > from && tries < TRIES; tries++) {
      const number = from + random.below(to - from);
      if (young.isThere(number)) return number;
    }
    return -1;
  };
  const takeYoung = (number: number, target: Uint8Array, at: number): Coin => {
    const coin = young.read(number, target, at);
    young.drop(number);
    living -= 1;
    return coin;
  };
  const takeOld = (number: number, target: Uint8Array, at: number): Coin => {
    // Another one takes its place, which is read as well.
    const coin = { ...old.read(number, target, at) };
    oldSize -= 1;
    if (number < oldSize) old.copyFrom(number, old, oldSize);
    return coin;
  };
  const takeAny = (random: Random, target: Uint8Array, at: number): Coin => {
    if (oldSize + living === 0) throw new Error('No output is left to spend.');
    const number = random.below(oldSize + living);
    if (number < oldSize) return takeOld(number, target, at);
    const found = findYoung(random, tail, head);
    if (found >= 0) return takeYoung(found, target, at);
    // Hardly any is left among the holes: the first one will do.
    while (!young.isThere(tail)) tail += 1;
    return takeYoung(tail, target, at);
  };
  const findHarsh = (random: Random): number =>
    random.chance(RECENT_SHARE) ? findYoung(random, tail, head) : -1;
  const findCalibrated = (random: Random): number => {
    const drawn = random.fraction();
    const band = BANDS.findIndex(({ upTo }) => drawn < upTo);
    if (band < 0) return -1;
    const to = band === 0 ? head : startOf(BANDS[band - 1]!.blocks);
    return findYoung(random, startOf(BANDS[band]!.blocks), to);
  };
  const find = ages === 'harsh' ? findHarsh : findCalibrated;

  return {
    size: () => oldSize + living,
    beginBlock() {
      block += 1;
      blockStarts[block % blockStarts.length] = head;
      if (ages === 'calibrated') for (const end = startOf(OLDEST_BAND); tail < end; ) retireFirst();
      young.releaseBelow(tail);
    },
    add(txids, at, vout, coin) {
      young.put(head++, txids, at, vout, coin);
      living += 1;
      if (ages === 'harsh') while (living > RECENT_COINS) retireFirst();
    },
    take(random, target, at) {
      const number = find(random);
      return number < 0 ? takeAny(random, target, at) : takeYoung(number, target, at);
    },
  };
}
