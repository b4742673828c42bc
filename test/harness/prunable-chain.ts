import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { concatBytes, parseDisplayHash } from '@coinfront/protocol/bytes.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import { serializeTransaction } from '@coinfront/protocol/transaction.ts';
import { startNode, type TestNode } from './litecoind.ts';
import { addressOfOwner, mineCoins, mineExactly, type RawCoin, type RawTx, spend } from './raw-coins.ts';

/** A real node that can be told to prune, on a chain whose first block file is full. */
export type PrunableNode = {
  readonly node: TestNode;
  /** A transaction in a block that pruning deletes; its outputs are spent there as well. */
  readonly deepTx: RawTx;
  /** Mature, and unspent. */
  readonly coin: RawCoin;
  /** Deletes the first block file. Gives the lowest height whose block is still there. */
  prune(): Promise<number>;
  /** Ends the node and starts it with its files as they were when this was made: with every block up to then. */
  putBack(): Promise<void>;
  stop(): Promise<void>;
};

/** Core prunes whole files of 128 MiB only. */
const BLOCKS_OF_FILE = 34;
const JUNK_BYTES = 3_990_000;
/** Core's regtest prunes no chain that is not longer than this, and keeps the last 288 blocks. */
const LEAST_HEIGHT = 1_000;
/** Witness programs of a version without rules may be spent with any witness. */
const OP_3 = 0x53;
const UNRULED_SCRIPT = concatBytes(Uint8Array.of(OP_3, 32), new Uint8Array(32).fill(7));

/**
 * Starts a node, mines what fills its first block file, and enough blocks above it. The caller stops it.
 *
 * @param onFirstBlocks called when there are a hundred small blocks and nothing else yet
 */
export async function startPrunableNode(
  onFirstBlocks: (node: TestNode) => Promise<void>,
): Promise<PrunableNode> {
  const node = await startNode({ extraArgs: ['-txindex=0', '-prune=1'] });
  const saved = await mkdtemp(join(tmpdir(), 'coinfront-unpruned-'));
  const miner = addressOfOwner(2);
  const [first, coin] = await mineCoins(node, 2, 1);
  await node.mine(100, miner);
  await onFirstBlocks(node);
  const outputs = Array.from({ length: BLOCKS_OF_FILE }, () => ({ value: 10_000n, script: UNRULED_SCRIPT }));
  const deepTx = spend([first!], outputs);
  await mineExactly(node, [deepTx], 2);
  for (let vout = 0; vout < BLOCKS_OF_FILE; vout++) {
    await node.rpc('generateblock', miner, [spendWithJunk(deepTx.txid, vout)]);
  }
  await node.mine(LEAST_HEIGHT + 1 - (await node.rpc<number>('getblockcount')), miner);
  await node.pause();
  await cp(node.dataDir, saved, { recursive: true });
  await node.start();
  return {
    node,
    deepTx,
    coin: coin!,
    async prune() {
      await node.rpc('pruneblockchain', LEAST_HEIGHT - 288);
      return (await node.rpc<{ pruneheight: number }>('getblockchaininfo')).pruneheight;
    },
    async putBack() {
      await node.kill();
      await rm(node.dataDir, { recursive: true });
      await cp(saved, node.dataDir, { recursive: true });
      await node.start();
    },
    async stop() {
      await node.stop();
      await rm(saved, { recursive: true, force: true });
    },
  };
}

function spendWithJunk(txid: string, vout: number): string {
  const input = {
    prevTxid: getValue(parseDisplayHash(txid)),
    prevVout: vout,
    scriptSig: new Uint8Array(0),
    sequence: 0xffff_ffff,
    witness: [new Uint8Array(JUNK_BYTES).fill(vout)],
  };
  const tx = {
    version: 2,
    inputs: [input],
    outputs: [{ value: 1_000n, script: UNRULED_SCRIPT }],
    locktime: 0,
    hasWitness: true,
    mweb: undefined,
  };
  return Buffer.from(serializeTransaction(tx, { witness: true })).toString('hex');
}
