import { hash } from 'node:crypto';
import { checkBlock } from '@coinfront/protocol/block-check.ts';
import { type ScannedBlock, scanBlock } from '@coinfront/protocol/block-scan.ts';
import { bytesToHex, equalBytes } from '@coinfront/protocol/bytes.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import { GENESIS, hashHeader } from '../genesis.ts';
import { createBlockMaker, type MadeBlock } from '../make-blocks.ts';
import { MIXES, type MixName } from '../mixes.ts';

const REWARD = 5_000_000_000n;
const sha256 = (bytes: Uint8Array): Uint8Array => hash('sha256', bytes, 'buffer');

/** A block as whoever receives it sees it: checked against its hash, and following the one before. */
export function scanChecked(block: Pick<MadeBlock, 'bytes' | 'hash'>, previous: Uint8Array): ScannedBlock {
  const scan = getValue(scanBlock(block.bytes.slice(), { auxpow: false, sha256 }));
  getValue(checkBlock(scan, block.hash));
  if (!equalBytes(scan.raw.subarray(4, 36), previous)) throw new Error('It follows another block.');
  return scan;
}

/** The first blocks of a chain, with at least so many transactions. */
export function scanChain(mix: MixName, seed: number, transactions: number): ScannedBlock[] {
  const maker = createBlockMaker(MIXES[mix], seed);
  const blocks: ScannedBlock[] = [];
  let previous: Uint8Array = hashHeader(GENESIS);
  for (let made = 0; made < transactions; ) {
    const block = maker.next();
    const scan = scanChecked(block, previous);
    if (scan.txCount !== block.transactions) throw new Error(`It has ${scan.txCount} transactions.`);
    previous = block.hash;
    made += block.transactions;
    blocks.push(scan);
  }
  return blocks;
}

/**
 * Follows every output from the transaction that makes it to the one that spends it, as a node does. Throws when one is
 * spent that is not there, or when something is paid out of nothing; what coinbases left of fees is `unclaimed`.
 */
export function replay(blocks: readonly ScannedBlock[]) {
  const unspent = new Map<string, bigint>();
  const seen = new Set<string>();
  const paidTimes = new Map<string, number>();
  const counts = { spends: 0, inputs: 0, outputs: 0 };
  let paid = 0;
  let unclaimed = 0n;
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
      if (total < 0n) throw new Error(`${txid} pays ${-total} more than it has`);
      if (t === 0) unclaimed += total;
      if (t > 0) {
        fees += total;
        counts.spends += 1;
        counts.inputs += scan.inputStart[t + 1]! - scan.inputStart[t]!;
        counts.outputs += scan.outputStart[t + 1]! - scan.outputStart[t]!;
      }
    }
  }
  return { ...counts, unclaimed, paidTimes, newShare: paidTimes.size / paid };
}
