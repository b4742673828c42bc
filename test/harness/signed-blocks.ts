import { parseDisplayHash, toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import type { Transaction } from '@coinfront/protocol/transaction.ts';
import { expect } from 'vitest';
import type { TestNode } from './litecoind.ts';
import type { Signed, Signer } from './signing-wallet.ts';

/** A transaction behind the coinbase of a block. */
export type MinedTransaction = { tx: Transaction; txid: Uint8Array; prevoutScript: Uint8Array };

/** A block that a test mined, as the rules of a protocol see it. */
export type MinedBlock = { height: number; hash: Uint8Array; transactions: readonly MinedTransaction[] };

/** Mines one block of exactly these transactions. */
export async function mineSigned(node: TestNode, transactions: readonly Signed[]): Promise<MinedBlock> {
  const { hash } = await node.rpc<{ hash: string }>(
    'generateblock',
    await node.newAddress(),
    transactions.map(({ hex }) => hex),
  );
  return {
    height: await node.rpc<number>('getblockcount'),
    hash: getValue(parseDisplayHash(hash)),
    transactions,
  };
}

/** Blocks without operations that are there already, up to the tip. */
export async function listQuietBlocks(node: TestNode): Promise<MinedBlock[]> {
  const height = await node.rpc<number>('getblockcount');
  return await Promise.all(
    Array.from({ length: height + 1 }, async (_, at) => ({
      height: at,
      hash: getValue(parseDisplayHash(await node.rpc<string>('getblockhash', at))),
      transactions: [],
    })),
  );
}

/** The transactions of a block with their places in it. */
export function placeTransactions({ height, transactions }: MinedBlock) {
  return transactions.map(({ tx, txid, prevoutScript }, i) => ({
    tx,
    txid,
    prevoutScript,
    height,
    position: i + 1,
  }));
}

/** Takes back what the signers spent since: their coins are there again when the blocks are gone. */
export function rememberCoins(signers: readonly Signer[]): () => void {
  const kept = signers.map(({ coins }) => [...coins]);
  return () => {
    for (const [i, { coins }] of signers.entries()) coins.splice(0, coins.length, ...kept[i]!);
  };
}

/** Makes one of two branches from the same block the node's chain. */
export async function switchBranch(
  node: TestNode,
  { from, to }: { from: readonly MinedBlock[]; to: readonly MinedBlock[] },
): Promise<void> {
  await node.rpc('invalidateblock', toDisplayHash(from[0]!.hash));
  await node.rpc('reconsiderblock', toDisplayHash(to[0]!.hash));
  expect(await node.rpc('getbestblockhash')).toBe(toDisplayHash(to.at(-1)!.hash));
}
