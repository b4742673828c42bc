import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { encodeAddress } from '@coinfront/protocol/address.ts';
import type { CoinProfile } from '@coinfront/protocol/profile.ts';
import { maxListedMiners } from '../../service/src/parts/mining/pool-source.ts';
import { mineByHand } from '../../test/harness/mine-by-hand.ts';
import type { RunningNode } from '../bench-node.ts';
import { lockedScriptPubKey } from '../chain/scripts.ts';

const BLOCKS = 120;
/** Coinbases that pay one miner over and over. */
const PAYING_BLOCKS = 10;
const PAYOUTS_OF_BLOCK = 5_000;
const PAYOUT = 1_000n;
/** Not the number of any other script of the chain. */
const FIRST_MINER = 6_000_000;

/** The address that 50,000 outputs of coinbases pay. */
export type BusyPool = { payee: string };

/** Mines blocks of the pool, the last of them with 5,000 payouts each to one address. */
export async function minePool(node: RunningNode, profile: CoinProfile): Promise<BusyPool> {
  const { tag, payoutScripts } = profile.pool!;
  const payee = lockedScriptPubKey(FIRST_MINER);
  const split = [
    { value: 99n * PAYOUT, script: payee },
    { value: PAYOUT, script: payoutScripts[0]! },
  ];
  for (let i = 0; i < BLOCKS; i++) await mineByHand(node, split, [], tag);
  const many = Array.from({ length: PAYOUTS_OF_BLOCK }, () => ({ value: PAYOUT, script: payee }));
  for (let i = 0; i < PAYING_BLOCKS; i++) await mineByHand(node, [...many, ...split], [], tag);
  return { payee: encodeAddress(payee, profile)! };
}

/** Writes the files of a ckpool with as many miners as are listed at most. */
export async function writePoolFiles(folder: string, profile: CoinProfile): Promise<void> {
  await mkdir(join(folder, 'pool'));
  await mkdir(join(folder, 'users'));
  const lastupdate = Math.floor(Date.now() / 1_000);
  const status = [
    { runtime: 60, lastupdate, Users: maxListedMiners, Workers: maxListedMiners, Idle: 0, Disconnected: 0 },
    { hashrate1m: '2K', hashrate5m: '1.5K', hashrate15m: '1.2K', hashrate1hr: '1K', hashrate6hr: '900' },
    { diff: 1, accepted: 1_000, rejected: 0, bestshare: 55.5, SPS1m: 1 },
  ];
  await writeFile(join(folder, 'pool', 'pool.status'), status.map((line) => JSON.stringify(line)).join('\n'));
  for (let i = 0; i < maxListedMiners; i++) {
    const address = encodeAddress(lockedScriptPubKey(FIRST_MINER + i), profile)!;
    const user = { hashrate1hr: String(1 + i), workers: 1, bestshare: 1.5, lastshare: lastupdate };
    await writeFile(join(folder, 'users', address), JSON.stringify(user));
  }
}
