import { constants } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningNode, startBenchNode } from './bench-node.ts';
import {
  type BenchChainFacts,
  type ChainStamp,
  describeChain,
  findStamp,
  STAMP_FORMAT,
  writeStamp,
} from './chain/facts.ts';
import { mineTraffic } from './chain/mine.ts';
import { openScriptPubKey } from './chain/scripts.ts';
import { HOT_NUMBER, hotTransactionsOf } from './chain/traffic.ts';

const DEFAULT_SEED = 20_240_601;

/** A node that serves a made chain. `stop` ends it and removes what was temporary. */
export type BenchChain = { node: RunningNode; facts: BenchChainFacts; stop(): Promise<void> };

/**
 * A regtest node with a chain of `transactions` spends. It is made once and kept in `dir` with a stamp; later calls
 * only start the node on it. With `copy` the node runs on a temporary copy, so that blocks may be added to it.
 */
export async function ensureBenchChain(options: {
  transactions: number;
  dir: string;
  seed?: number;
  copy?: boolean;
  report?: (line: string) => void;
}): Promise<BenchChain> {
  const seed = options.seed ?? DEFAULT_SEED;
  const stampPath = join(options.dir, 'chain.json');
  const dataDir = join(options.dir, 'node');
  const stamp =
    (await findStamp(stampPath, { seed, requested: options.transactions })) ??
    (await makeChain({ ...options, seed, dataDir, stampPath }));
  const facts = describeChain(stamp);

  if (!options.copy) {
    const node = await startBenchNode({ dataDir });
    return { node, facts, stop: node.stop };
  }
  const scratch = await mkdtemp(join(tmpdir(), 'coinfront-bench-'));
  const scratchNode = join(scratch, 'node');
  await cp(dataDir, scratchNode, { recursive: true, mode: constants.COPYFILE_FICLONE });
  const node = await startBenchNode({ dataDir: scratchNode });
  const stop = async (): Promise<void> => {
    await node.stop();
    await rm(scratch, { recursive: true, force: true });
  };
  return { node, facts, stop };
}

async function makeChain(options: {
  transactions: number;
  dir: string;
  seed: number;
  dataDir: string;
  stampPath: string;
  report?: (line: string) => void;
}): Promise<ChainStamp> {
  const report = options.report ?? console.error;
  await rm(options.stampPath, { force: true });
  await rm(options.dataDir, { recursive: true, force: true });
  const startedAt = performance.now();
  const node = await startBenchNode({ dataDir: options.dataDir });
  try {
    const plan = { seed: options.seed, transactions: options.transactions };
    const traffic = await mineTraffic(node, plan, report);
    const blocks = await node.rpc<number>('getblockcount');
    const tipHash = await node.rpc<string>('getbestblockhash');
    const chain = await node.rpc<{ txcount: number }>('getchaintxstats', blocks - 1, tipHash);
    const { txids, scripts } = traffic.samples();
    const toHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
    const stamp: ChainStamp = {
      format: STAMP_FORMAT,
      seed: options.seed,
      requested: options.transactions,
      transactions: chain.txcount,
      blocks,
      tipHash,
      makingSeconds: Math.round((performance.now() - startedAt) / 1_000),
      hotTransactions: hotTransactionsOf(options.transactions),
      hotUnspent: traffic.hotUnspent(),
      hotScript: toHex(openScriptPubKey(HOT_NUMBER)),
      tenTxScripts: traffic.tenTxScripts().map(toHex),
      sampleScripts: scripts.map(toHex),
      sampleTxids: txids.map((txid) => Buffer.from(txid).reverse().toString('hex')),
    };
    await node.stop();
    await writeStamp(options.stampPath, stamp);
    return stamp;
  } finally {
    await node.stop();
  }
}
