import { mkdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { toDisplayHash } from '@coinfront/protocol/bytes.ts';
import {
  findServedBlock,
  type MeasuredProcess,
  type ServiceStorage,
  startService,
  waitForTip,
} from '../service-process.ts';
import { createStorageMaker } from '../storage.ts';
import { formatTable, type Row } from '../table.ts';
import { type BlockLog, openBlockLog } from './chain/block-log.ts';
import { ensureLongChain } from './chain/ensure-chain.ts';
import { makeBranch } from './chain/make-branch.ts';
import { measureFirstSync } from './first-sync.ts';
import { measureFloor } from './floor.ts';
import { MADE_ANEW, measureColdReads, measureLongReads } from './long-reads.ts';
import { measureLongReorg, measureLongTip, TIP_BLOCKS } from './long-tip.ts';
import { limitMemory } from './memory-limit.ts';
import { type ChainNode, startChainNode } from './node/start-node.ts';
import type { LongOptions } from './options.ts';
import { listStretches } from './rows.ts';
import { drawSamples } from './samples.ts';

/** What all measurements of a run share. */
type Ground = {
  log: BlockLog;
  height: number;
  node: ChainNode;
  storage: ServiceStorage;
  start: (settings: Record<string, string>) => Promise<MeasuredProcess>;
};

const START_TIMEOUT_MS = 10 * 60_000;

/**
 * Makes or finds the chain, measures the floor, lets the service index the same blocks, and then measures reads and the
 * tip on what it has indexed.
 */
export async function runLong(options: LongOptions): Promise<void> {
  const { mix, seed, transactions, sparse, spentOutputs, engine, serverSettings, keep, on, dir, reorg } =
    options;
  mkdirSync(dir, { recursive: true });
  const plan = { mix, seed, transactions, sparse, spentOutputs };
  const { log, height, ...chain } = ensureLongChain(plan, dir, console.error);
  const closing: Array<() => unknown> = [log.close];
  const close = async (): Promise<void> => {
    for (const step of closing.splice(0).reverse()) await step();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void close().finally(() => process.exit(130)));
  }
  try {
    const branchDir = join(dir, `branch-${process.pid}`);
    closing.push(() => rm(branchDir, { recursive: true, force: true }));
    const branch = reorg > 0 ? forkChain(log, { height, reorg, dir: branchDir }) : undefined;
    const served = branch && { dir: branchDir, firstHeight: branch.firstHeight };
    const node = await startChainNode({
      dir: chain.dir,
      mix,
      seed,
      tip: height,
      branch: served,
      spentOutputs,
    });
    closing.push(node.stop);
    const storages = await createStorageMaker(engine, { parent: dir, serverSettings });
    closing.push(storages.close);

    console.log(`${mix}, seed ${seed}, ${engine}, Node ${process.version}, ${describeMachine()}`);
    const storage = on === undefined ? await storages.open() : { dataDir: on };
    closing.push(() => {
      if ('drop' in storage && !keep) return storage.drop();
      console.log(`The index is in ${storage.dataDir}.`);
    });
    const limit = options.memory > 0 ? limitMemory(options.memory) : undefined;
    if (limit) closing.push(limit.remove);
    const start: Ground['start'] = async (settings) => {
      const processes = { COINFRONT_API_PROCESSES: String(options.apiProcesses) };
      const service = await startService(node.url, storage, { ...processes, ...settings });
      limit?.add(service.pid);
      closing.push(service.stop);
      return service;
    };
    const ground = { log, height, node, start, storage };
    if (on !== undefined) {
      ground.height = await findIndexedHeight(ground);
      await node.show({ height: ground.height });
    } else {
      const stretches = listStretches(log, height);
      const floor = await measureFloor(node.url, log, stretches);
      await measureFirstSync({ service: await start({}), storage, log }, stretches, floor);
    }
    const reads = options.reads ? await measureReadsOf(ground, options) : [];
    console.log(`\n${formatTable([...reads, ...(await measureTipOf(ground, options, branch))])}`);
  } finally {
    await close();
  }
}

/** A branch for the time when the blocks of the tip have been added. */
function forkChain(
  log: BlockLog,
  { height, reorg, dir }: { height: number; reorg: number; dir: string },
): BlockLog {
  const end = height + TIP_BLOCKS;
  if (reorg >= end) throw new Error(`The chain has ${end} blocks, of which ${reorg} cannot be replaced.`);
  makeBranch(log, end - reorg + 1, end, dir);
  return openBlockLog(dir, end - reorg + 1);
}

async function measureReadsOf(ground: Ground, { seed, cold }: LongOptions): Promise<Row[]> {
  const samples = drawSamples(ground.log, ground.height, seed);
  const open = (): Promise<MeasuredProcess> => startAtTip(ground, MADE_ANEW);
  const coldRows = cold ? await measureColdReads(open, samples) : [];
  const service = await open();
  try {
    return [...(await measureLongReads(service, samples, ground.storage)), ...coldRows];
  } finally {
    await service.stop();
  }
}

async function measureTipOf(
  ground: Ground,
  { mempool }: LongOptions,
  branch: BlockLog | undefined,
): Promise<Row[]> {
  const { node, log, height } = ground;
  if (height + TIP_BLOCKS > log.lastHeight) {
    console.log(
      'The tip was not measured: an earlier run has added the last blocks of the chain to this index.',
    );
    return [];
  }
  const service = await startAtTip(ground, {});
  try {
    const rows = [await measureLongTip({ service, node, log }, height, mempool)];
    if (branch) rows.push(await measureLongReorg({ service, node }, branch));
    return rows;
  } finally {
    await service.stop();
  }
}

/** An index that was kept has the blocks, too, that were added to it one by one. */
async function findIndexedHeight({ start }: Ground): Promise<number> {
  const service = await start({});
  try {
    await service.listening;
    const block = await findServedBlock(service);
    if (block === undefined) throw new Error('The index that was given serves no block.');
    return block.height;
  } finally {
    await service.stop();
  }
}

async function startAtTip(
  { log, height, start }: Ground,
  settings: Record<string, string>,
): Promise<MeasuredProcess> {
  const service = await start(settings);
  const tip = toDisplayHash(log.hashAt(height));
  await waitForTip(service, tip, { pollMs: 200, timeoutMs: START_TIMEOUT_MS });
  return service;
}

function describeMachine(): string {
  return `${cpus().length} x ${cpus()[0]?.model ?? 'CPU'}`;
}
