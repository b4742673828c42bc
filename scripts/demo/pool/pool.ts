/**
 * A stand-in for a solo pool that runs ckpool: its miners find some of the blocks of the local chain, whose coinbases pay them and the
 * operator, and its folder says what ckpool's would.
 */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { getHexBytes } from '@coinfront/protocol/bytes.ts';
import { parseProfile } from '@coinfront/protocol/profile.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import type { NodeClient } from '../../../service/src/node/rpc-client.ts';
import type { Random } from '../../traffic/random.ts';
import { makeDemoCoin } from '../coin.ts';
import { writePoolStatus, writeUser } from './ckpool-files.ts';
import { minePoolBlock, type Split } from './mine-pool-block.ts';
import { countBlock, countRound, type Miner, newShareLog, type ShareLog } from './share-log.ts';

export type DemoPool = {
  /** For `COINFRONT_POOL_SOURCE=ckpool:<folder>`. */
  readonly folder: string;
  /**
   * Lets the miners work for as long as the network takes for a block.
   *
   * @returns the block that one of them found, to be mined; undefined when it is for others to find
   */
  work(nowMs: number): (() => Promise<void>) | undefined;
  /** Mines a block with the pool's tag whoever's turn it is; `split` says how it pays. */
  mineBlock(split: Split, nowMs: number): Promise<void>;
  /** Writes ckpool's files, as it does about once a minute. */
  writeFiles(nowMs: number): void;
};

/** Miners' parts of the work, and how many machines they have. */
const CREW: readonly (readonly [weight: number, workers: number])[] = [
  [30, 6],
  [22, 3],
  [17, 4],
  [12, 2],
  [9, 1],
  [6, 1],
  [4, 1],
];
const STATE_FILE = 'stand-in.json';

type State = { addresses: string[]; log: ShareLog };

/**
 * Opens the pool of the chain in `dir`, with the counts of earlier starts.
 *
 * @param wallet of the node, which its miners are paid to
 */
export async function openDemoPool(
  dir: string,
  wallet: NodeClient,
  random: Random,
  nowMs: number,
): Promise<DemoPool> {
  const folder = join(dir, 'pool');
  for (const part of ['pool', 'users']) mkdirSync(join(folder, part), { recursive: true });
  const { pool, ...coin } = getValue(parseProfile(makeDemoCoin()));
  if (pool === undefined) throw new Error('The coin of the local chain has no pool.');
  const profile = { ...coin, pool };
  const state = readState(folder) ?? { addresses: [], log: newShareLog(nowMs) };
  while (state.addresses.length < CREW.length) {
    state.addresses.push(await wallet.call<string>('getnewaddress', ['', 'bech32']));
  }
  const miners: Miner[] = CREW.map(([weight, workers], index) => ({
    address: state.addresses[index]!,
    weight,
    workers,
  }));
  const { log } = state;

  async function mine(miner: Miner, split: Split, at: number): Promise<void> {
    const { scriptPubKey } = await wallet.call<{ scriptPubKey: string }>('getaddressinfo', [miner.address]);
    await minePoolBlock(wallet, profile, getHexBytes(scriptPubKey), at, split);
    countBlock(log);
  }

  return {
    folder,
    work(at) {
      const finder = countRound(log, miners, random, at);
      return finder && (() => mine(finder, 'kept', at));
    },
    mineBlock: (split, at) => mine(random.pick(miners), split, at),
    writeFiles(at) {
      // In place, as ckpool does: a reader may meet half of a file.
      for (const miner of miners) writeFileSync(join(folder, 'users', miner.address), writeUser(log, miner));
      writeFileSync(join(folder, 'pool', 'pool.status'), writePoolStatus(log, miners, at));
      writeFileSync(join(folder, STATE_FILE), JSON.stringify(state));
    },
  };
}

function readState(folder: string): State | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, STATE_FILE), 'utf8')) as State;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
