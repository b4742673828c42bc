import { bytesToHex, parseDisplayHash, toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import type { TxOutput } from '@coinfront/protocol/transaction.ts';
import type { TestNode } from './litecoind.ts';
import { type OpenCoin, type OpenTransaction, openScript, spendCoins } from './open-transactions.ts';

/** A node whose blocks are composed by hand, of coins that anybody may spend. */
export type OpenNode = {
  /** Fresh coins of equal value, made in a block of their own. */
  makeCoins(count: number): Promise<OpenCoin[]>;
  /** Mines exactly these transactions in this order; the coinbase pays `miner`. Gives the hash. */
  mineBlock(transactions: readonly Pick<OpenTransaction, 'hex'>[], miner?: Uint8Array): Promise<string>;
};

/** Coinbases that can be spent. */
const MATURE_BLOCKS = 40;
const MATURITY = 100;
const FEE = 10_000n;
const MINER = Uint8Array.of(0x51);

/** Mines the chain's first blocks, whose coinbases become coins. */
export async function prepareOpenNode(node: TestNode): Promise<OpenNode> {
  const descriptors = new Map<string, string>();
  const describe = async (script: Uint8Array): Promise<string> => {
    const hex = bytesToHex(script);
    const known = descriptors.get(hex);
    if (known) return known;
    const { descriptor } = await node.rpc<{ descriptor: string }>('getdescriptorinfo', `raw(${hex})`);
    descriptors.set(hex, descriptor);
    return descriptor;
  };
  const blocks = MATURE_BLOCKS + MATURITY;
  const hashes = await node.rpc<string[]>('generatetodescriptor', blocks, await describe(MINER));
  const unused = hashes.slice(0, MATURE_BLOCKS);
  let made = 0;

  const mineBlock: OpenNode['mineBlock'] = async (transactions, miner = MINER) => {
    const raw = transactions.map(({ hex }) => hex);
    return (await node.rpc<{ hash: string }>('generateblock', await describe(miner), raw)).hash;
  };
  return {
    mineBlock,
    async makeCoins(count) {
      const hash = unused.shift();
      if (hash === undefined) throw new Error('All coins of the first blocks are spent.');
      const { tx } = await node.rpc<{ tx: { txid: string; vout: { value: number }[] }[] }>(
        'getblock',
        hash,
        2,
      );
      const coinbase = {
        txid: getValue(parseDisplayHash(tx[0]!.txid)),
        vout: 0,
        value: BigInt(Math.round(tx[0]!.vout[0]!.value * 1e8)),
      };
      const value = (coinbase.value - FEE) / BigInt(count);
      // Each coin belongs to another script, so that what a test does with it stays its own affair.
      const outputs = Array.from({ length: count }, () => ({
        value,
        script: openScript(0x40000000 + made++),
      }));
      const funding = spendCoins([coinbase], outputs);
      await mineBlock([funding]);
      return outputs.map((_, vout) => funding.coin(vout));
    },
  };
}

/** Spends coins to these scripts, to equal parts and less a fee. */
export function pay(coins: readonly OpenCoin[], scripts: readonly Uint8Array[], tag = 0): OpenTransaction {
  const total = coins.reduce((sum, { value }) => sum + value, 0n);
  const value = (total - FEE) / BigInt(scripts.length);
  if (value <= 0n) throw new Error(`A coin of ${toDisplayHash(coins[0]!.txid)} is worth too little.`);
  return spendCoins(
    coins,
    scripts.map((script): TxOutput => ({ value, script })),
    tag,
  );
}
