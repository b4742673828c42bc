import { type HeavyChain, makeHeavyChain } from '../starve/heavy-chain.ts';
import { mineHeavyBlocks } from '../worst/heavy-blocks.ts';

/** A chain of transactions of a megabyte, and of what else is dear to ask for. */
export type HostileChain = HeavyChain & {
  /** The scriptPubKey of 132,000 outputs. */
  hub: Uint8Array;
  /** The display txid of a transaction of 3.9 million witness items. */
  manyItems: string;
};

/** Data that is no operation of anything. */
const CARRIER = { value: 0n, script: Uint8Array.of(0x6a, 0x01, 0x00) };
const MANY_ITEMS = '3.9 million witness items';

/** Mines it in a temporary folder; takes some ten seconds. */
export async function makeHostileChain(): Promise<HostileChain> {
  const chain = await makeHeavyChain();
  try {
    const { hub, txids, words } = await mineHeavyBlocks(chain.node, () => chain.coinbases.shift()!, CARRIER);
    const manyItems = txids.find((txid) => words.get(txid) === MANY_ITEMS)!;
    return { ...chain, tipHash: await chain.node.rpc<string>('getbestblockhash'), hub, manyItems };
  } catch (error) {
    await chain.stop();
    throw error;
  }
}
