import type { Random } from './random.ts';

/** An unspent output that the maker can spend. `number` names its witness script; `value` is in base units. */
export type Coin = { txIndex: number; vout: number; value: bigint; number: number };

/** A bounded bag of unspent outputs in about the order they were made, held in columns to stay small. */
export type CoinBag = {
  size(): number;
  add(coin: Coin): void;
  /** Removes one of the newest `window` coins. Throws when the bag is empty. */
  takeRecent(random: Random, window: number): Coin;
  /** Removes any coin, each equally likely. Throws when the bag is empty. */
  takeAny(random: Random): Coin;
};

/** Makes an empty bag that can hold `capacity` coins at a time. */
export function createCoinBag(capacity: number): CoinBag {
  const txIndexes = new Uint32Array(capacity);
  const vouts = new Uint16Array(capacity);
  const values = new BigUint64Array(capacity);
  const numbers = new Uint32Array(capacity);
  let size = 0;

  const put = (at: number, coin: Coin): void => {
    txIndexes[at] = coin.txIndex;
    vouts[at] = coin.vout;
    values[at] = coin.value;
    numbers[at] = coin.number;
  };
  const peek = (at: number): Coin => ({
    txIndex: txIndexes[at]!,
    vout: vouts[at]!,
    value: values[at]!,
    number: numbers[at]!,
  });
  const takeAt = (at: number): Coin => {
    const coin = peek(at);
    size -= 1;
    if (at < size) put(at, peek(size));
    return coin;
  };
  const requireCoins = (): void => {
    if (size === 0) throw new Error('No coin is left to spend: fan out more coins before the traffic.');
  };

  return {
    size: () => size,
    add(coin) {
      if (size === capacity)
        throw new Error(`The coin bag is full at ${capacity} coins: raise its capacity.`);
      put(size, coin);
      size += 1;
    },
    takeRecent(random, window) {
      requireCoins();
      const span = Math.min(window, size);
      return takeAt(size - 1 - random.below(span));
    },
    takeAny(random) {
      requireCoins();
      return takeAt(random.below(size));
    },
  };
}
