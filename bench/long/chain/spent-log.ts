import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { type ScannedBlock, scanBlock } from '@coinfront/protocol/block-scan.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import { createWriter } from '@coinfront/protocol/writer.ts';
import { sha256 } from '../../../service/src/indexer/encoding/hashes.ts';
import type { BlockLog } from './block-log.ts';
import { createOutputRecords, type OutputRecords } from './output-records.ts';
import { OUTPUT_BYTES } from './outputs.ts';

/** What the blocks of a chain spend, as Bitcoin Core 30 serves it (`/rest/spenttxouts/<hash>.bin`), by height. */
export type SpentLog = { read(height: number): Buffer };

const ENTRY_BYTES = 8;
const REPORT_EVERY_BLOCKS = 400;

/** Makes `spent.dat`, the answers one behind the other, and `spent.idx`, where each begins, unless they are there. */
export function ensureSpentLog(dir: string, log: BlockLog, report: (line: string) => void): void {
  if (openSpentLog(dir)) return;
  const file = openSync(join(dir, 'spent.dat'), 'w');
  const starts = Buffer.alloc((log.lastHeight + 2) * ENTRY_BYTES);
  const outputs = createOutputRecords(log.transactionsTo(log.lastHeight));
  let end = 0;
  for (let height = 0; height <= log.lastHeight; height++) {
    if (height % REPORT_EVERY_BLOCKS === 0) report(`what blocks spend, up to ${height} of ${log.lastHeight}`);
    const scan = getValue(scanBlock(log.read(height), { auxpow: false, sha256 }));
    end += writeSync(file, writeAnswer(scan, outputs));
    starts.writeDoubleLE(end, (height + 1) * ENTRY_BYTES);
  }
  closeSync(file);
  writeFileSync(join(dir, 'spent.part'), starts);
  renameSync(join(dir, 'spent.part'), join(dir, 'spent.idx'));
}

/** Opens what was made; undefined when it was not. */
export function openSpentLog(dir: string): SpentLog | undefined {
  const index = join(dir, 'spent.idx');
  if (!existsSync(index)) return undefined;
  const starts = readFileSync(index);
  const file = openSync(join(dir, 'spent.dat'), 'r');
  return {
    read(height) {
      const start = starts.readDoubleLE(height * ENTRY_BYTES);
      const bytes = Buffer.allocUnsafeSlow(starts.readDoubleLE((height + 1) * ENTRY_BYTES) - start);
      readSync(file, bytes, 0, bytes.length, start);
      return bytes;
    },
  };
}

/** Transactions spend what comes before them, in their block, too. */
function writeAnswer(scan: ScannedBlock, outputs: OutputRecords): Uint8Array {
  const writer = createWriter(scan.inputCount * (OUTPUT_BYTES + 1));
  writer.compactSize(scan.txCount);
  for (let t = 0; t < scan.txCount; t++) {
    const [first, end] = [scan.inputStart[t]!, scan.inputStart[t + 1]!];
    writer.compactSize(t === 0 ? 0 : end - first);
    for (let i = first; t > 0 && i < end; i++) writer.bytes(outputs.find(scan.raw, scan.outpointOffset[i]!));
    // The first script lies behind a value and a length; that of genesis is another, and nobody spends it.
    const at = scan.scriptOffset[scan.outputStart[t]!]! - 9;
    outputs.add(scan.txid, t * 32, scan.raw, at, scan.outputStart[t + 1]! - scan.outputStart[t]!);
  }
  return writer.finish();
}
