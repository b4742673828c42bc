import { hash } from 'node:crypto';
import { encodeAddress } from '@coinfront/protocol/address.ts';
import { scanBlock } from '@coinfront/protocol/block-scan.ts';
import { toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import { getShippedProfile } from '@coinfront/protocol/shipped-profiles.ts';
import { createRandom, type Random } from '../chain/random.ts';
import type { BlockLog } from './chain/block-log.ts';

/** What reads ask for, taken at random from all of a chain; addresses are each there once. */
export type Samples = { addresses: string[]; txids: string[]; heights: number[] };

const SAMPLES = 6_000;
/** A block is read from the disk for every so many samples. */
const PER_BLOCK = 20;

const sha256 = (bytes: Uint8Array): Uint8Array => hash('sha256', bytes, 'buffer');

/** Draws transactions of random blocks up to a height, and an address that each of them pays. */
export function drawSamples(log: BlockLog, toHeight: number, seed: number): Samples {
  const random = createRandom(seed);
  const profile = getShippedProfile('regtest');
  const addresses = new Set<string>();
  const txids = new Set<string>();
  for (let tries = 0; txids.size < SAMPLES && tries < SAMPLES; tries++) {
    const height = 1 + random.below(toHeight);
    if (!log.has(height)) continue;
    const raw = log.read(height);
    const block = getValue(scanBlock(raw, { auxpow: false, sha256 }));
    for (let sample = 0; sample < Math.min(PER_BLOCK, block.txCount); sample++) {
      const tx = random.below(block.txCount);
      txids.add(toDisplayHash(block.txid.subarray(tx * 32, tx * 32 + 32)));
      const output = pickBetween(random, block.outputStart[tx]!, block.outputStart[tx + 1]!);
      const at = block.scriptOffset[output]!;
      const address = encodeAddress(raw.subarray(at, at + block.scriptLength[output]!), profile);
      if (address !== undefined) addresses.add(address);
    }
  }
  const heights = Array.from({ length: SAMPLES }, () => random.below(toHeight + 1));
  return { addresses: shuffle([...addresses], random), txids: shuffle([...txids], random), heights };
}

function pickBetween(random: Random, from: number, to: number): number {
  return from + random.below(to - from);
}

/** Neighbours came from one block, which would be read from the disk once for all of them. */
function shuffle<T>(values: T[], random: Random): T[] {
  for (let left = values.length; left > 1; left--) {
    const other = random.below(left);
    [values[left - 1], values[other]] = [values[other]!, values[left - 1]!];
  }
  return values;
}
