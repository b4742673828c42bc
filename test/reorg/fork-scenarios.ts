import { pay } from '../harness/open-node.ts';
import {
  carrierScript,
  type OpenCoin,
  type OpenTransaction,
  openScript,
} from '../harness/open-transactions.ts';

/** A block: its transactions, and whom the coinbase pays when it is not the usual script. */
export type ForkBlock = { txs: readonly OpenTransaction[]; miner?: Uint8Array };

/** Two branches above the same block. The first is mined, then the second takes its place, then the first comes back. */
export type Fork = {
  /** Blocks that both stand on. */
  before: readonly ForkBlock[];
  first: readonly ForkBlock[];
  second: readonly ForkBlock[];
};

export type Scenario = {
  name: string;
  coins: number;
  fork: (coins: readonly OpenCoin[], script: (i: number) => Uint8Array) => Fork;
};

const block = (...txs: OpenTransaction[]): ForkBlock => ({ txs });

/** Every kind of difference that two branches can have; `script` gives scripts that no other scenario pays. */
export const scenarios: readonly Scenario[] = [
  {
    name: 'a fork at the same height',
    coins: 2,
    fork: ([a, b], script) => ({
      before: [],
      first: [block(pay([a!], [script(0), script(1)]))],
      second: [block(pay([b!], [script(1), script(2)]))],
    }),
  },
  {
    name: 'a reorg of 1 block by 2',
    coins: 4,
    fork: ([a, b, c, d], script) => ({
      before: [],
      first: [block(pay([a!], [script(0)]), pay([b!], [script(0)]))],
      second: [block(pay([c!], [script(1), script(0)])), block(pay([d!], [script(1)]))],
    }),
  },
  {
    name: 'a reorg of 2 blocks by 1',
    coins: 3,
    fork: ([a, b, c], script) => ({
      before: [],
      first: [block(pay([a!], [script(0), script(0)])), block(pay([b!], [script(0)]))],
      second: [block(pay([c!], [script(0)]))],
    }),
  },
  {
    name: 'blocks that go and are replaced by none',
    coins: 2,
    fork: ([a, b], script) => ({
      before: [block(pay([a!], [script(0), script(1)]))],
      first: [block(pay([b!], [script(0), script(2)])), block(), block()],
      second: [],
    }),
  },
  {
    name: 'a reorg of 10 blocks',
    coins: 20,
    fork: (coins, script) => ({
      before: [],
      first: long(coins.slice(0, 10), script, 1),
      second: long(coins.slice(10), script, 2),
    }),
  },
  {
    name: 'transactions at other positions in their block',
    coins: 4,
    fork: (coins, script) => {
      const [a, b, c, d] = coins.map((coin, i) => pay([coin], [script(i % 2), script(2 + i)]));
      return { before: [], first: [block(a!, b!, c!, d!)], second: [block(d!, b!, a!, c!)] };
    },
  },
  {
    name: 'transactions in other blocks',
    coins: 3,
    fork: (coins, script) => {
      const [a, b, c] = coins.map((coin) => pay([coin], [script(0), script(1)]));
      const child = pay([a!.coin(0), b!.coin(1)], [script(2)]);
      return {
        before: [],
        first: [block(a!, b!), block(c!, child)],
        second: [block(c!), block(b!), block(a!, child)],
      };
    },
  },
  {
    name: 'a coin that each branch spends otherwise',
    coins: 3,
    fork: ([a, b, c], script) => {
      const one = pay([a!], [script(0), script(1)], 1);
      const other = pay([a!, b!], [script(1), script(2)], 2);
      return {
        before: [],
        first: [block(one, pay([one.coin(0)], [script(3)])), block(pay([b!, c!], [script(1)]))],
        second: [block(other), block(pay([other.coin(1)], [script(3), script(3)]), pay([c!], [script(0)]))],
      };
    },
  },
  {
    name: 'a script paid once on one branch and twice on the other',
    coins: 8,
    fork: ([a, b, c, d, e, f, g, h], script) => ({
      before: [],
      first: [
        block(pay([a!], [script(0)]), pay([b!], [script(1)])),
        block(pay([c!], [script(1), script(2), script(2)])),
      ],
      second: [
        block(pay([d!], [script(0)]), pay([e!], [script(1)])),
        block(pay([f!], [script(0)]), pay([g!], [script(2)]), pay([h!], [script(3)])),
      ],
    }),
  },
  {
    name: 'a script paid once below the fork and again on one branch',
    coins: 8,
    fork: ([a, b, c, d, e, f, g, h], script) => {
      const unspent = pay([a!], [script(0), script(1)]);
      const spent = pay([b!], [script(2), script(3)]);
      const spender = pay([spent.coin(0), spent.coin(1)], [script(4)]);
      const twice = pay([c!], [script(5), script(5)]);
      return {
        before: [block(unspent, spent, twice), block(spender)],
        // Paid again while unspent, while spent, spent and paid by one transaction, spent without being paid again.
        first: [
          block(pay([d!], [script(0), script(2)])),
          block(pay([unspent.coin(1)], [script(1), script(0)])),
          block(pay([twice.coin(0)], [script(6)])),
        ],
        second: [
          block(pay([unspent.coin(0)], [script(6)])),
          block(pay([e!], [script(1), script(3), script(3)])),
          block(pay([f!, g!], [script(2), script(0)]), pay([h!], [script(5)])),
        ],
      };
    },
  },
  {
    name: "a script's first payment in another transaction",
    coins: 4,
    fork: (coins, script) => {
      const [a, b, c, d] = coins.map((coin, i) => pay([coin], [script(10 + i), script(0)]));
      return {
        before: [],
        first: [block(a!, b!), block(c!), block(pay([a!.coin(1)], [script(5)]), d!)],
        second: [block(d!), block(c!, b!), block(a!, pay([d!.coin(1), a!.coin(1)], [script(5), script(5)]))],
      };
    },
  },
  {
    name: 'data carriers that come again',
    coins: 6,
    fork: ([a, b, c, d, e, f]) => {
      const twice = carrierScript('on both branches');
      const [left, right] = [carrierScript('on the first'), carrierScript('on the second')];
      return {
        before: [block(pay([a!], [carrierScript('below'), openScript(1)]))],
        first: [block(pay([b!], [twice, left])), block(pay([c!], [carrierScript('below'), left]))],
        second: [
          block(pay([d!], [right])),
          block(pay([e!], [twice, twice])),
          block(pay([f!], [carrierScript('below'), twice])),
        ],
      };
    },
  },
  {
    name: 'coinbases that pay other scripts, and are paid to again',
    coins: 2,
    fork: ([a, b], script) => ({
      before: [{ txs: [], miner: script(0) }],
      first: [
        { txs: [], miner: script(1) },
        { txs: [pay([a!], [script(1), script(0)])], miner: script(0) },
      ],
      second: [
        { txs: [pay([b!], [script(2)])], miner: script(2) },
        { txs: [], miner: script(1) },
        { txs: [], miner: script(1) },
      ],
    }),
  },
  {
    name: 'transactions that build on each other within a block and across blocks that go',
    coins: 2,
    fork: ([a, b], script) => {
      const parent = pay([a!], [script(0), script(1), script(0)]);
      const child = pay([parent.coin(0), parent.coin(2)], [script(1), script(0)]);
      const grandchild = pay([child.coin(1), parent.coin(1)], [script(0)]);
      return {
        before: [],
        first: [block(parent, child), block(grandchild), block(pay([grandchild.coin(0)], [script(0)]))],
        second: [block(pay([b!], [script(0)])), block(parent), block(child, grandchild)],
      };
    },
  },
  {
    name: 'a reorg of 100 blocks',
    coins: 200,
    fork: (coins, script) => ({
      before: [],
      first: long(coins.slice(0, 100), script, 3),
      second: long(coins.slice(100), script, 5),
    }),
  },
];

/** A block a coin: pays few scripts again and again and some once, and spends what came a few blocks before. */
function long(coins: readonly OpenCoin[], script: (i: number) => Uint8Array, step: number): ForkBlock[] {
  const made: OpenTransaction[] = [];
  return coins.map((coin, i) => {
    made.push(pay([coin], [script(i % 7), script(100 + i * step), script((i * step) % 11)]));
    const old = made[i - 4];
    return block(
      made[i]!,
      ...(old ? [pay([old.coin(0), old.coin(2)], [script(i % 5), script(200 + i)])] : []),
    );
  });
}
