import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Engine } from '../storage.ts';
import { MIXES, type MixName } from './chain/mixes.ts';

/** What `npm run bench -- long` is asked for. */
export type LongOptions = {
  transactions: number;
  seed: number;
  mix: MixName;
  /** Keeps one block in ten, and makes the others again while they are served. */
  sparse: boolean;
  /** The node serves what blocks spend, as Bitcoin Core 30 and later do. */
  spentOutputs: boolean;
  engine: Engine;
  /** Settings of PostgreSQL that differ from those that it comes with. */
  serverSettings: Record<string, string>;
  /** Measures reads, and with `cold` those of a disk of which nothing is in memory. */
  reads: boolean;
  cold: boolean;
  /** The node's mempool has what so many blocks above the tip will mine; 0 for an empty one. */
  mempool: number;
  /** So many blocks are replaced at the end; 0 for none. */
  reorg: number;
  /** Leaves the index where it is. */
  keep: boolean;
  /** The service, and what it reads of files, have so many megabytes of memory; 0 for all of the machine's. */
  memory: number;
  /** Processes that answer requests; with one it indexes, too. */
  apiProcesses: number;
  /** An index that is there, so that only reads and the tip are measured. */
  on: string | undefined;
  /** Chains and indexes lie here. */
  dir: string;
};

const USAGE = `npm run bench -- long [options]
  a first sync of a long chain, a row per million transactions (or per tenth); then reads and tip
options: --transactions N (1000000)  --seed N (1)  --engine sqlite|postgres (sqlite)
         --mix ${Object.keys(MIXES).join('|')} (harsh)
         --sparse: a tenth of the disk; most blocks are made again while they are served
         --spent-outputs: the node serves what blocks spend, too
         --server-setting NAME=VALUE: of PostgreSQL, as often as there are some
         --no-reads  --cold: reads with the page cache dropped, too  --reorg BLOCKS (0)
         --mempool BLOCKS (0): what these above the tip will mine waits in the node's mempool
         --api-processes N (1): of the service, as COINFRONT_API_PROCESSES has it
         --memory MB: of the service with what it reads of files, by a control group of Linux
         --on FOLDER: an index that --keep has left instead of a first sync
         --dir FOLDER (${join(tmpdir(), 'coinfront-bench-long')}): chains are kept there, indexes with --keep`;

/** Reads the arguments; those that make no sense end the process with the usage. */
export function readLongOptions(args: string[]): LongOptions {
  try {
    const { values } = parseArgs({
      args,
      allowNegative: true,
      options: {
        transactions: { type: 'string', default: '1000000' },
        seed: { type: 'string', default: '1' },
        mix: { type: 'string', default: 'harsh' },
        engine: { type: 'string', default: 'sqlite' },
        'server-setting': { type: 'string', multiple: true, default: [] },
        sparse: { type: 'boolean', default: false },
        'spent-outputs': { type: 'boolean', default: false },
        reads: { type: 'boolean', default: true },
        cold: { type: 'boolean', default: false },
        mempool: { type: 'string', default: '0' },
        reorg: { type: 'string', default: '0' },
        keep: { type: 'boolean', default: false },
        memory: { type: 'string', default: '0' },
        'api-processes': { type: 'string', default: '1' },
        on: { type: 'string' },
        dir: { type: 'string', default: join(tmpdir(), 'coinfront-bench-long') },
      },
    });
    const { mix, sparse, engine, reads, cold, keep, on, dir } = values;
    if (!isMix(mix)) throw new Error(`"${mix}" is none of ${Object.keys(MIXES).join(', ')}.`);
    if (engine !== 'sqlite' && engine !== 'postgres') throw new Error(`"${engine}" is no engine.`);
    const spentOutputs = values['spent-outputs'];
    if ((keep || on !== undefined) && engine === 'postgres') {
      throw new Error(
        '--keep and --on are for SQLite: a database goes with the server that the bench starts.',
      );
    }
    const serverSettings = Object.fromEntries(values['server-setting'].map(readSetting));
    const counts = {
      transactions: readCount('transactions', values.transactions, 1_000, 1_000_000_000),
      seed: readCount('seed', values.seed, 0, 2 ** 31),
      mempool: readCount('mempool', values.mempool, 0, 100),
      reorg: readCount('reorg', values.reorg, 0, 1_000),
      memory: readCount('memory', values.memory, 0, 1_000_000),
      apiProcesses: readCount('api-processes', values['api-processes'], 1, 64),
    };
    return { ...counts, mix, sparse, spentOutputs, engine, serverSettings, reads, cold, keep, on, dir };
  } catch (error) {
    console.error(`${(error as Error).message}\n${USAGE}`);
    process.exit(2);
  }
}

function readSetting(text: string): [name: string, value: string] {
  const [, name, value] = /^([a-z_.]+)=(.+)$/.exec(text) ?? [];
  if (name === undefined || value === undefined) throw new Error(`"${text}" is not NAME=VALUE.`);
  return [name, value];
}

function isMix(name: string): name is MixName {
  return Object.hasOwn(MIXES, name);
}

function readCount(name: string, text: string, least: number, most: number): number {
  const count = Number(text);
  if (Number.isInteger(count) && count >= least && count <= most) return count;
  throw new Error(`--${name} takes a whole number from ${least} to ${most}, got "${text}".`);
}
