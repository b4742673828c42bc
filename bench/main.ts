import { cpus } from 'node:os';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { measureCalendar } from './calendar.ts';
import { type BenchChain, ensureBenchChain } from './chain-maker.ts';
import { measureCluster } from './cluster.ts';
import { measureElectrum } from './electrum.ts';
import { measureHostile } from './hostile.ts';
import { readLongOptions } from './long/options.ts';
import { runLong } from './long/run-long.ts';
import { measurePayments } from './payments.ts';
import { measureProtocols } from './protocols.ts';
import { measureReads } from './reads.ts';
import { measureStarving } from './starve.ts';
import { createStorageMaker, type Engine, type StorageMaker } from './storage.ts';
import { describeScale, describeSync, measureSync, type SyncResult } from './sync.ts';
import { formatTable, type Row } from './table.ts';
import { measureTip } from './tip.ts';
import { measureWorst } from './worst.ts';

const USAGE = `npm run bench -- [sync|reads|tip|scale|payments|protocols|starve|hostile|worst|cluster|electrum|calendar|all] [options]
  sync    time to index a chain / time to only download its blocks; memory, CPU
  reads   requests per second of the chain API / of an empty Fastify route
  tip     delay from the node's new block to the API serving it
  scale   time per transaction of a sync at 2,000,000 / at 200,000 transactions
  payments  creates and status reads per second, delay from a block to its webhook, cost of a block
  protocols  token operations indexed per second / plain pace, pages of holders, look-ups of proofs
  starve  what others wait for /status while three clients send the dearest requests; CPU, memory
  hostile what somebody else waits for /status while three clients attack, one way at a time and all at once; memory
  worst   the dearest request of every route, found by search on a hostile chain: CPU of the main thread and bytes for each unit
  cluster 1, 2 and 4 API processes on one PostgreSQL and on a primary with a replica; a cache in front; CPU of each request and block
  electrum calls per second over the Electrum protocol / the same over HTTP; memory of connections and subscriptions; a block told to 10,000 wallets
  calendar  digests taken, anchored together and proved; what somebody else waits for /status meanwhile
  all     all of these but hostile, worst, cluster, electrum and calendar (default)
  long    first sync of a chain like real ones, in steps of a million transactions; options of its own
options: --transactions N (500000)  --engine sqlite|postgresql (sqlite)  --rounds N (1)
         --payments N (50000): how many are open meanwhile
         --seconds N (20): of each attack of starve and hostile
         --operations N (200000, at least 100000)  --proofs N (1000000): of protocols, digests of calendar
         --only TEXT: of worst routes, of hostile attacks, whose names have it; layouts, caches or blocks of cluster`;

const KINDS = [
  'sync',
  'reads',
  'tip',
  'scale',
  'payments',
  'protocols',
  'starve',
  'hostile',
  'worst',
  'cluster',
  'electrum',
  'calendar',
  'all',
];
const SCALE_SMALL = 200_000;
const SCALE_LARGE = 2_000_000;

type Options = { kind: string; transactions: number; engine: Engine; rounds: number; payments: number } & {
  operations: number;
  proofs: number;
  seconds: number;
  only: string | undefined;
};

if (process.argv[2] === 'long') {
  await runLong(readLongOptions(process.argv.slice(3)));
  process.exit();
}
const options = readOptions();
const storages = await createStorageMaker(options.engine);
const running = new Set<BenchChain>();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, async () => {
    for (const chain of running) await chain.stop();
    await storages.close();
    process.exit(130);
  });
}
try {
  const rows = await measure(options, storages);
  console.log(
    `\n${options.engine}, Node ${process.version}, ${cpus().length} x ${cpus()[0]?.model ?? 'CPU'}`,
  );
  console.log(formatTable(rows));
} finally {
  await storages.close();
}

async function measure(
  { kind, transactions, rounds, payments, operations, proofs, seconds, only }: Options,
  maker: StorageMaker,
): Promise<Row[]> {
  const wants = (name: string): boolean => kind === name || kind === 'all';
  const sync = (chain: BenchChain): Promise<SyncResult> => measureSync(chain, maker, rounds);
  const rows: Row[] = [];
  if (wants('sync')) rows.push(...describeSync(await withChain(transactions, false, sync)));
  if (wants('scale')) {
    const small = await withChain(SCALE_SMALL, false, sync);
    rows.push(describeScale(small, await withChain(SCALE_LARGE, false, sync)));
  }
  if (wants('reads')) {
    rows.push(...(await withChain(transactions, false, (chain) => measureReads(chain, maker))));
  }
  if (wants('tip')) rows.push(...(await withChain(transactions, true, (chain) => measureTip(chain, maker))));
  if (wants('protocols')) rows.push(...(await measureProtocols(maker, { operations, proofs, rounds })));
  if (wants('payments')) rows.push(...(await measurePayments(maker, payments)));
  if (wants('starve')) rows.push(...(await measureStarving(maker, seconds)));
  if (kind === 'worst') rows.push(...(await measureWorst(maker, only)));
  if (kind === 'hostile') rows.push(...(await measureHostile(maker, seconds, only)));
  if (kind === 'cluster')
    rows.push(...(await withChain(transactions, true, (chain) => measureCluster(chain, only))));
  if (kind === 'calendar') rows.push(...(await measureCalendar(maker, proofs)));
  if (kind === 'electrum')
    rows.push(...(await withChain(transactions, true, (chain) => measureElectrum(chain, maker))));
  return rows;
}

async function withChain<T>(
  transactions: number,
  copy: boolean,
  use: (chain: BenchChain) => Promise<T>,
): Promise<T> {
  const dir = resolve('data', 'bench', String(transactions));
  const chain = await ensureBenchChain({ transactions, dir, copy });
  running.add(chain);
  try {
    return await use(chain);
  } finally {
    running.delete(chain);
    await chain.stop();
  }
}

function readOptions(): Options {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        transactions: { type: 'string', default: '500000' },
        engine: { type: 'string', default: 'sqlite' },
        rounds: { type: 'string', default: '1' },
        payments: { type: 'string', default: '50000' },
        operations: { type: 'string', default: '200000' },
        proofs: { type: 'string', default: '1000000' },
        seconds: { type: 'string', default: '20' },
        only: { type: 'string' },
      },
    });
    const kind = positionals[0] ?? 'all';
    const engine = values.engine === 'postgresql' ? 'postgres' : values.engine;
    if (!KINDS.includes(kind)) throw new Error(`"${kind}" is none of ${KINDS.join(', ')}.`);
    if (engine !== 'sqlite' && engine !== 'postgres') throw new Error(`"${engine}" is no engine.`);
    const transactions = readCount('transactions', values.transactions, 1_000, 5_000_000);
    return {
      kind,
      engine,
      transactions,
      only: values.only,
      rounds: readCount('rounds', values.rounds, 1, 20),
      payments: readCount('payments', values.payments, 10, 1_000_000),
      operations: readCount('operations', values.operations, 100_000, 1_000_000),
      proofs: readCount('proofs', values.proofs, 1_000, 5_000_000),
      seconds: readCount('seconds', values.seconds, 1, 600),
    };
  } catch (error) {
    console.error(`${(error as Error).message}\n${USAGE}`);
    process.exit(2);
  }
}

function readCount(name: string, text: string, least: number, most: number): number {
  const count = Number(text);
  if (Number.isInteger(count) && count >= least && count <= most) return count;
  throw new Error(`--${name} takes a whole number from ${least} to ${most}, got "${text}".`);
}
