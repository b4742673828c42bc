import { hash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { merkleRootOf } from '@coinfront/protocol/block-check.ts';
import { type ScannedBlock, scanBlock } from '@coinfront/protocol/block-scan.ts';
import { bytesToHex } from '@coinfront/protocol/bytes.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import { createRandom } from '../../chain/random.ts';
import { type BlockLog, createBlockLog } from './block-log.ts';
import { makeCoinbase } from './coinbase.ts';
import { hashHeader } from './genesis.ts';
import { HEADER_BYTES, writeHeader } from './header.ts';
import { createPayees } from './payees.ts';
import { writeCount } from './write-bytes.ts';

const EXTRA_NONCE = 1;
const COUNT_BYTES = 3;
/** One in so many transactions is not in the branch, and nothing that spends it. */
const LEFT_OUT = 50;

const sha256 = (bytes: Uint8Array): Uint8Array => hash('sha256', bytes, 'buffer');

/**
 * Writes a branch that replaces the blocks from `fromHeight` to `toHeight` and is longer by one. Its blocks have the
 * transactions of the blocks that they replace, one block later, but for what spends a replaced coinbase and for a few
 * more: as in a real reorganisation most are mined again, at other places.
 */
export function makeBranch(log: BlockLog, fromHeight: number, toHeight: number, dir: string): void {
  mkdirSync(dir, { recursive: true });
  const random = createRandom(fromHeight);
  const sources = { random, payees: createPayees({ fresh: 1, hub: 0, latest: 0 }, fromHeight) };
  const gone = new Set<string>();
  const branch = createBlockLog(dir);
  let previous: Uint8Array = log.hashAt(fromHeight - 1);
  for (let height = fromHeight; height <= toHeight + 1; height++) {
    const spends = height === fromHeight ? [] : listKept(scan(log.read(height - 1)), gone);
    // It takes less than it may: the fees are left.
    const coinbase = makeCoinbase({ height, fees: 0, extraNonce: EXTRA_NONCE }, sources);
    const root = merkleRootOf(Buffer.concat([coinbase.txid, ...spends.map(({ txid }) => txid)]));
    const front = new Uint8Array(HEADER_BYTES + COUNT_BYTES);
    writeHeader(front, 0, { previous, root, height });
    const countEnd = writeCount(front, HEADER_BYTES, spends.length + 1);
    const parts = [front.subarray(0, countEnd), coinbase.bytes, ...spends.map(({ bytes }) => bytes)];
    const bytes = Buffer.concat(parts);
    previous = hashHeader(bytes);
    branch.append({ hash: previous, bytes, transactions: spends.length + 1 });
  }
  branch.close();
}

function scan(bytes: Uint8Array): ScannedBlock {
  return getValue(scanBlock(bytes, { auxpow: false, sha256 }));
}

/** The transactions of a block that stay; the others, and its coinbase, are added to those that are gone. */
function listKept(block: ScannedBlock, gone: Set<string>): Array<{ txid: Uint8Array; bytes: Uint8Array }> {
  const kept: Array<{ txid: Uint8Array; bytes: Uint8Array }> = [];
  for (let tx = 0; tx < block.txCount; tx++) {
    const txid = block.txid.subarray(tx * 32, tx * 32 + 32);
    if (tx === 0 || tx % LEFT_OUT === 0 || spendsAny(block, tx, gone)) gone.add(bytesToHex(txid));
    else kept.push({ txid, bytes: block.raw.subarray(block.txOffset[tx]!, block.txOffset[tx + 1]!) });
  }
  return kept;
}

function spendsAny(block: ScannedBlock, tx: number, gone: ReadonlySet<string>): boolean {
  for (let input = block.inputStart[tx]!; input < block.inputStart[tx + 1]!; input++) {
    const at = block.outpointOffset[input]!;
    if (gone.has(bytesToHex(block.raw.subarray(at, at + 32)))) return true;
  }
  return false;
}
