import { hash } from 'node:crypto';
import { checkBlock } from '@coinfront/protocol/block-check.ts';
import { type ScannedBlock, scanBlock } from '@coinfront/protocol/block-scan.ts';
import { bytesToHex, toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import { getShippedProfile } from '@coinfront/protocol/shipped-profiles.ts';
import { parseTransaction, txidOf } from '@coinfront/protocol/transaction.ts';
import { describe, expect, test } from 'vitest';
import { GENESIS, hashHeader } from './genesis.ts';
import { createBlockMaker } from './make-blocks.ts';
import { MIXES, type MixName } from './mixes.ts';

const REWARD = 5_000_000_000n;
const sha256 = (bytes: Uint8Array): Uint8Array => hash('sha256', bytes, 'buffer');

/** Blocks as whoever receives them sees them: checked against their hash, and each on the one before. */
function scanChain(mix: MixName, seed: number, transactions: number): ScannedBlock[] {
  const maker = createBlockMaker(MIXES[mix], seed);
  const blocks: ScannedBlock[] = [];
  let previous: Uint8Array = hashHeader(GENESIS);
  for (let made = 0; made < transactions; ) {
    const block = maker.next();
    const scan = getValue(scanBlock(block.bytes.slice(), { auxpow: false, sha256 }));
    getValue(checkBlock(scan, block.hash));
    expect(bytesToHex(scan.raw.subarray(4, 36))).toBe(bytesToHex(previous));
    expect(scan.txCount).toBe(block.transactions);
    previous = block.hash;
    made += block.transactions;
    blocks.push(scan);
  }
  return blocks;
}

/** Follows every output from the transaction that makes it to the one that spends it, as a node does. */
function replay(blocks: readonly ScannedBlock[]) {
  const unspent = new Map<string, bigint>();
  const seen = new Set<string>();
  const paidTimes = new Map<string, number>();
  const counts = { spends: 0, inputs: 0, outputs: 0 };
  let paid = 0;
  for (const scan of blocks) {
    let fees = 0n;
    for (let tx = 1; tx <= scan.txCount; tx++) {
      // The coinbase last: it takes the fees of all others.
      const t = tx % scan.txCount;
      const txid = bytesToHex(scan.txid.subarray(t * 32, t * 32 + 32));
      if (seen.has(txid)) throw new Error(`${txid} is there twice`);
      seen.add(txid);
      let total = t === 0 ? REWARD + fees : 0n;
      for (let i = scan.inputStart[t]!; t > 0 && i < scan.inputStart[t + 1]!; i++) {
        const at = scan.outpointOffset[i]!;
        const outpoint = bytesToHex(scan.raw.subarray(at, at + 36));
        const spent = unspent.get(outpoint);
        if (spent === undefined) throw new Error(`${outpoint} is spent twice, or before it is made`);
        unspent.delete(outpoint);
        total += spent;
      }
      const vout = Buffer.alloc(4);
      for (let o = scan.outputStart[t]!; o < scan.outputStart[t + 1]!; o++) {
        const at = scan.scriptOffset[o]!;
        const script = bytesToHex(scan.raw.subarray(at, at + scan.scriptLength[o]!));
        const value = scan.outputValue[o]!;
        if (value < 0n) throw new Error(`${txid} pays ${value}`);
        total -= value;
        vout.writeUInt32LE(o - scan.outputStart[t]!);
        unspent.set(txid + vout.toString('hex'), value);
        paid += 1;
        paidTimes.set(script, (paidTimes.get(script) ?? 0) + 1);
      }
      if (total < 0n || (t === 0 && total > 0n)) throw new Error(`${txid} does not balance: ${total}`);
      if (t > 0) {
        fees += total;
        counts.spends += 1;
        counts.inputs += scan.inputStart[t + 1]! - scan.inputStart[t]!;
        counts.outputs += scan.outputStart[t + 1]! - scan.outputStart[t]!;
      }
    }
  }
  return { ...counts, paidTimes, newShare: paidTimes.size / paid };
}

describe('a made chain', () => {
  test('stands on the genesis block of its profile', () => {
    expect(toDisplayHash(hashHeader(GENESIS))).toBe(getShippedProfile('regtest').genesisHash);
  });

  test('is the same for a seed, and another for another seed', () => {
    const hashesOf = (seed: number) => {
      const maker = createBlockMaker(MIXES.calibrated, seed);
      return Array.from({ length: 12 }, () => bytesToHex(maker.next().hash));
    };
    expect(hashesOf(3)).toEqual(hashesOf(3));
    expect(new Set([...hashesOf(3), ...hashesOf(4)]).size).toBe(24);
  });

  test('has transactions that are parsed to what they are hashed to', () => {
    const [scan] = scanChain('harsh', 6, 20).slice(-1);
    for (const tx of [0, 1, scan!.txCount - 1]) {
      const bytes = scan!.raw.subarray(scan!.txOffset[tx]!, scan!.txOffset[tx + 1]!);
      const txid = txidOf(getValue(parseTransaction(bytes)));
      expect(bytesToHex(txid)).toBe(bytesToHex(scan!.txid.subarray(tx * 32, tx * 32 + 32)));
    }
  });

  test.each([
    ['harsh', 1.79, 2.22, 0.55],
    ['calibrated', 1.79, 2.22, 0.55],
    ['dogecoin', 1.79, 2.22, 0.55],
    ['hub', 1.79, 2.22, 0.3],
    ['new', 1.79, 2.22, 1],
    ['consolidate', 3.53, 4.28, 0.55],
    ['empty', 1.79, 2.22, 0.55],
  ] as const)(
    'of the mix %s spends what there is, once, balances, and has its shares',
    (mix, inputs, outputs, fresh) => {
      const chain = replay(scanChain(mix, 7, 8_000));
      expect(chain.inputs / chain.spends / inputs).toBeCloseTo(1, 1);
      expect(chain.outputs / chain.spends / outputs).toBeCloseTo(1, 1);
      expect(chain.newShare).toBeCloseTo(fresh, 1);
    },
  );

  test('of the mix wide has transactions of 3,000 outputs, and balances', () => {
    const blocks = scanChain('wide', 7, 6_000);
    replay(blocks);
    const outputs = blocks.flatMap(({ outputStart }) =>
      [...outputStart].map((start, t) => start - (outputStart[t - 1] ?? 0)),
    );
    expect(Math.max(...outputs)).toBe(3_000);
  });

  test('of the mix consolidate has transactions of twenty inputs', () => {
    const inputs = scanChain('consolidate', 7, 3_000).flatMap(({ inputStart }) =>
      [...inputStart].map((start, t) => start - (inputStart[t - 1] ?? 0)),
    );
    expect(inputs.filter((count) => count === 20).length / inputs.length).toBeCloseTo(0.1, 1);
  });

  test('of the mix hub pays one script in every transaction', () => {
    const { paidTimes, spends } = replay(scanChain('hub', 10, 3_000));
    expect(Math.max(...paidTimes.values())).toBeGreaterThanOrEqual(spends);
  });

  test.each([
    ['dogecoin', 30, 30],
    ['empty', 1, 3],
  ] as const)('of the mix %s has blocks of %i to %i transactions', (mix, least, most) => {
    const counts = scanChain(mix, 11, 1_000).map(({ txCount }) => txCount);
    const settled = counts.slice(5);
    expect(Math.min(...settled)).toBeGreaterThanOrEqual(least);
    expect(Math.max(...settled)).toBeLessThanOrEqual(most);
  });
});
