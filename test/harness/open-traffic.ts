import type { Random } from '../../scripts/traffic/random.ts';
import type { OpenNode } from './open-node.ts';
import {
  carrierScript,
  type OpenCoin,
  type OpenTransaction,
  openScript,
  spendCoins,
} from './open-transactions.ts';

/** Thousands of transactions a second, on whatever branch the node is on. */
export type OpenTraffic = {
  /** Mines a block of about `count` transactions; gives its hash. */
  mineBlock(count: number): Promise<string>;
  /** Goes on from what could be spent after this block: call it when the node has left what came later. */
  goBackTo(hash: string): void;
};

const FEE = 1_000n;
const LEAST_VALUE = 10_000n;
const HOT_SCRIPTS = 40;

/** Creates traffic that spends `coins` and what comes of them; choices follow `random`. */
export function createOpenTraffic(chain: OpenNode, random: Random, coins: readonly OpenCoin[]): OpenTraffic {
  let spendable = [...coins];
  const after = new Map<string, OpenCoin[]>();
  let unique = 0;

  function chooseScript(): Uint8Array {
    const kind = random.integer(1, 10);
    if (kind <= 5) return openScript(0x20000000 + random.integer(1, HOT_SCRIPTS));
    if (kind <= 9) return openScript(0x30000000 + ++unique);
    return carrierScript(random.pick(['once more', `number ${++unique}`]));
  }

  function makeTransaction(): OpenTransaction {
    const spent = Array.from({ length: random.integer(1, 2) }, () => takeOne(spendable, random));
    const total = spent.reduce((sum, { value }) => sum + value, 0n) - FEE;
    // Splits while there is something to split, so that coins neither run out nor get too small.
    const outputs = total > 4n * LEAST_VALUE ? random.integer(1, 4) : 1;
    const scripts = Array.from({ length: outputs }, (_, i) =>
      i === 0 ? openScript(++unique) : chooseScript(),
    );
    const value = total / BigInt(outputs);
    const transaction = spendCoins(
      spent,
      scripts.map((script) => ({ value: script[0] === 0x6a ? 0n : value, script })),
      ++unique,
    );
    scripts.forEach((script, vout) => {
      if (script[0] !== 0x6a && value > LEAST_VALUE) spendable.push(transaction.coin(vout));
    });
    return transaction;
  }

  return {
    async mineBlock(count) {
      const transactions: OpenTransaction[] = [];
      for (let i = 0; i < count && spendable.length > 2; i++) transactions.push(makeTransaction());
      const hash = await chain.mineBlock(transactions, openScript(random.integer(1, 5)));
      after.set(hash, [...spendable]);
      return hash;
    },
    goBackTo(hash) {
      const coinsThen = after.get(hash);
      if (!coinsThen) throw new Error(`Block ${hash} was not mined here.`);
      spendable = [...coinsThen];
    },
  };
}

function takeOne(coins: OpenCoin[], random: Random): OpenCoin {
  const at = random.integer(0, coins.length - 1);
  const [coin] = coins.splice(at, 1, coins.at(-1)!);
  coins.pop();
  return coin!;
}
