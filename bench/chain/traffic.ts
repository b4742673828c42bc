import { type Coin, createCoinBag } from './coins.ts';
import { createRandom } from './random.ts';
import { lockedScriptPubKey, openScriptPubKey } from './scripts.ts';
import { type NewOutput, type RawTransaction, serializeSpend } from './serialize.ts';

/** What the traffic is made of. Counts are of transactions, `hot` ones included in `transactions`. */
export type TrafficPlan = { seed: number; transactions: number };

/** Numbers of the scripts with a role; every other script number is above them. */
export const MINER_NUMBER = 0;
export const HOT_NUMBER = 1;
const POOL_FIRST = 1_000;
const POOL_SIZE = 1_000;
const TEN_FIRST = 2_000;
const FRESH_FIRST = 10_000;

const HOT_SHARE = 0.4;
const HOT_UNSPENT_SHARE = 0.008;
const TOUCHES_PER_TEN_ADDRESS = 10;
const RECENT_SHARE = 0.7;
const RECENT_WINDOW = 5_000;
const REUSE_SHARE = 0.1;
const LOCKED_SHARE = 0.06;
const SMALL_COIN = 10_000n;
const FAN_OUT_WIDTH = 400;
const MOST_FAN_OUTS = 64;
const MOST_EXTRA = 250_000;

/** A maker of traffic: first the fan-outs of matured coinbases, then `transactions` spends. */
export type Traffic = {
  /** Splits one coinbase output into many equal coins. */
  fanOut(coinbase: { txid: Uint8Array; value: bigint }): RawTransaction;
  /**
   * The next transaction; it spends only outputs that were made before it. After the plan's own there can be up to
   * 250,000 more, all ordinary.
   */
  next(): RawTransaction;
  /** What `next` has made so far. */
  made(): number;
  /** Unspent outputs of the hot address now. */
  hotUnspent(): number;
  /** Scripts with exactly ten transactions each when all traffic is made. */
  tenTxScripts(): Uint8Array[];
  /** A spread sample of what was made: one txid and one scriptPubKey out of every stride. */
  samples(): { txids: Uint8Array[]; scripts: Uint8Array[] };
};

/** How many of `transactions` touch the hot address. */
export function hotTransactionsOf(transactions: number): number {
  return Math.round(transactions * HOT_SHARE);
}

type Draft = { coins: Coin[]; outputs: Array<NewOutput & { number: number | undefined }> };

/** Makes the deterministic traffic of a plan. */
export function createTraffic(plan: TrafficPlan): Traffic {
  const random = createRandom(plan.seed);
  const most = plan.transactions + MOST_EXTRA;
  const txids = new Uint8Array((most + 2 * MOST_FAN_OUTS) * 32);
  const bag = createCoinBag(most + MOST_FAN_OUTS * FAN_OUT_WIDTH);
  const hotCoins: Coin[] = [];
  const hotUnspentTarget = Math.max(20, Math.round(plan.transactions * HOT_UNSPENT_SHARE));
  const tenAddresses = Array.from(
    { length: Math.min(100, Math.floor(plan.transactions / 500)) },
    (_, index) => ({
      number: TEN_FIRST + index,
      coins: [] as Coin[],
    }),
  );
  const sampleStride = Math.max(1, Math.floor(plan.transactions / 5_000));
  const sampled: { txids: Uint8Array[]; scripts: Uint8Array[] } = { txids: [], scripts: [] };

  let txCount = 0;
  let made = 0;
  let hotLeft = hotTransactionsOf(plan.transactions);
  let tenLeft = tenAddresses.length * TOUCHES_PER_TEN_ADDRESS;
  let freshNumber = FRESH_FIRST;

  const txidOf = (index: number): Uint8Array => txids.subarray(index * 32, index * 32 + 32);
  const record = (txid: Uint8Array): number => {
    txids.set(txid, txCount * 32);
    txCount += 1;
    return txCount - 1;
  };
  const takeOrdinary = (): Coin =>
    random.chance(RECENT_SHARE) ? bag.takeRecent(random, RECENT_WINDOW) : bag.takeAny(random);
  const payOpen = (number: number, value: bigint): Draft['outputs'][number] => ({
    value,
    number,
    script: openScriptPubKey(number),
  });
  const payAnyone = (value: bigint): Draft['outputs'][number] => {
    if (random.chance(LOCKED_SHARE)) {
      freshNumber += 1;
      return { value, number: undefined, script: lockedScriptPubKey(freshNumber) };
    }
    if (random.chance(REUSE_SHARE)) return payOpen(POOL_FIRST + random.below(POOL_SIZE), value);
    freshNumber += 1;
    return payOpen(freshNumber, value);
  };

  /** Spends the coins, with more of them when they are small, to one special output (if any) and ordinary ones. */
  const compose = (coins: Coin[], special: number | undefined): Draft => {
    let total = coins.reduce((sum, coin) => sum + coin.value, 0n);
    while (total < SMALL_COIN && coins.length < 4 && bag.size() > 0) {
      const extra = bag.takeAny(random);
      coins.push(extra);
      total += extra.value;
    }
    const fee = BigInt(200 + random.below(1_800));
    const spendable = total > fee ? total - fee : total;
    const first = (spendable * BigInt(100 + random.below(800))) / 1_000n;
    const outputs = [special === undefined ? payAnyone(first) : payOpen(special, first)];
    freshNumber += 1;
    outputs.push(payOpen(freshNumber, spendable - first));
    return { coins, outputs };
  };

  const ordinaryCoins = (): Coin[] => {
    const coins = [takeOrdinary()];
    if (random.chance(0.3) && bag.size() > 0) coins.push(takeOrdinary());
    return coins;
  };
  const draftHot = (): Draft => {
    const spending = hotCoins.length > hotUnspentTarget;
    if (!spending) return compose(ordinaryCoins(), HOT_NUMBER);
    const coins = [takeFrom(hotCoins, random.below(hotCoins.length))];
    if (random.chance(0.2)) coins.push(takeFrom(hotCoins, random.below(hotCoins.length)));
    return compose(coins, random.chance(0.1) ? HOT_NUMBER : undefined);
  };
  const draftTen = (): Draft => {
    const address = tenAddresses[tenLeft % tenAddresses.length]!;
    const spending = address.coins.length > 1 && random.chance(0.4);
    if (!spending) return compose(ordinaryCoins(), address.number);
    return compose([takeFrom(address.coins, 0)], undefined);
  };
  const drawDraft = (): Draft => {
    const left = plan.transactions - made;
    if (left <= 0) return compose(ordinaryCoins(), undefined);
    if (random.chance(hotLeft / left)) {
      hotLeft -= 1;
      return draftHot();
    }
    if (random.chance(tenLeft / Math.max(1, left - hotLeft))) {
      tenLeft -= 1;
      return draftTen();
    }
    return compose(ordinaryCoins(), undefined);
  };
  const keep = (txIndex: number, outputs: Draft['outputs']): void => {
    outputs.forEach(({ number, value }, vout) => {
      if (number === undefined || value === 0n) return;
      const coin = { txIndex, vout, value, number };
      if (number === HOT_NUMBER) hotCoins.push(coin);
      else if (number >= TEN_FIRST && number < FRESH_FIRST)
        tenAddresses[number - TEN_FIRST]!.coins.push(coin);
      else bag.add(coin);
    });
  };

  return {
    fanOut(coinbase) {
      const source = { txIndex: record(coinbase.txid), vout: 0, value: coinbase.value, number: MINER_NUMBER };
      const share = coinbase.value / BigInt(FAN_OUT_WIDTH);
      const outputs = Array.from({ length: FAN_OUT_WIDTH }, () => {
        freshNumber += 1;
        return payOpen(freshNumber, share);
      });
      const raw = serializeSpend([source], outputs, txidOf);
      keep(record(raw.txid), outputs);
      return raw;
    },
    next() {
      const { coins, outputs } = drawDraft();
      const raw = serializeSpend(coins, outputs, txidOf);
      keep(record(raw.txid), outputs);
      if (made % sampleStride === 0) {
        sampled.txids.push(raw.txid);
        sampled.scripts.push(outputs[made % (2 * sampleStride) === 0 ? 0 : 1]!.script);
      }
      made += 1;
      return raw;
    },
    made: () => made,
    hotUnspent: () => hotCoins.length,
    tenTxScripts: () => tenAddresses.map(({ number }) => openScriptPubKey(number)),
    samples: () => sampled,
  };
}

function takeFrom(coins: Coin[], at: number): Coin {
  const last = coins.pop()!;
  if (at === coins.length) return last;
  const coin = coins[at]!;
  coins[at] = last;
  return coin;
}
