import { createTraffic } from '../../scripts/traffic/traffic.ts';
import type { TestNode } from './litecoind.ts';

export type TrafficOptions = {
  readonly seed: number;
  /** Blocks to mine; a few more come when transactions need a block of their own. */
  readonly blocks: number;
  readonly txPerBlock: number;
};

/**
 * Fills a node's chain with mixed real traffic: payments to addresses of every kind, data carriers, proofs,
 * public keys, bare multisig, P2WSH that anyone spends, consolidations, chains of unconfirmed transactions,
 * spends within a block, zero values, and scripts that nodes do not relay. The mempool ends empty.
 *
 * @returns the hashes of the blocks that hold it, and how many transactions were sent
 */
export async function makeTraffic(
  node: TestNode,
  options: TrafficOptions,
): Promise<{ blockHashes: string[]; transactions: number }> {
  const traffic = await createTraffic(node.client, { seed: options.seed });
  await traffic.prepare();
  const blockHashes: string[] = [];
  let transactions = 0;
  for (let block = 0; block < options.blocks; block += 1) {
    transactions += await traffic.sendSome(options.txPerBlock);
    blockHashes.push(...(await traffic.mineBlock()));
  }
  return { blockHashes, transactions };
}
