import { type ScannedBlock, scanBlock } from '@coinfront/protocol/block-scan.ts';
import { toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import { sha256 } from '../../../service/src/indexer/encoding/hashes.ts';
import type { ServedChain } from './served-chain.ts';

/** The mempool as the stand-in of a node shows it: what the blocks above the tip will mine. Txids are display hex. */
export type ServedMempool = {
  /**
   * Holds the transactions of so many blocks above the tip. Made chains spend coinbases at once, so those that no mempool could
   * have are left out: their coinbase is not mined yet.
   */
  hold(tip: number, blocks: number): void;
  size(): number;
  /** All txids. Whoever asks has seen the tip: what the next one changes is made ready then, so that it is shown at once. */
  list(): readonly string[];
  /** A raw transaction, hex. */
  find(txid: string): string | undefined;
};

/** Begins with an empty one. */
export function createServedMempool(chain: Pick<ServedChain, 'readAt'>): ServedMempool {
  const scans = new Map<number, ScannedBlock>();
  let shown = { tip: 0, blocks: 0, raws: new Map<string, string>() };
  let next = shown;

  const scanAt = (height: number): ScannedBlock | undefined => {
    const known = scans.get(height);
    if (known) return known;
    const block = chain.readAt(height);
    const scan = block && getValue(scanBlock(block, { auxpow: false, sha256 }));
    if (scan) scans.set(height, scan);
    return scan;
  };

  const collect = (tip: number, blocks: number): typeof shown => {
    const raws = new Map<string, string>();
    for (const height of scans.keys()) if (height <= tip) scans.delete(height);
    const impossible = new Set<string>();
    for (let height = tip + 1; height <= tip + blocks; height++) {
      const scan = scanAt(height);
      for (let t = 0; scan && t < scan.txCount; t++) {
        const txid = nameOf(scan, t);
        if (t === 0 || spendsAny(scan, t, impossible)) impossible.add(txid);
        else raws.set(txid, shown.raws.get(txid) ?? hexOf(scan, t));
      }
    }
    return { tip, blocks, raws };
  };
  const prepare = (): void => {
    next = collect(shown.tip + 1, shown.blocks);
  };
  return {
    hold(tip, blocks) {
      shown = next.tip === tip && next.blocks === blocks ? next : collect(tip, blocks);
    },
    size: () => shown.raws.size,
    list() {
      if (shown.blocks > 0 && next.tip <= shown.tip) setImmediate(prepare);
      return [...shown.raws.keys()];
    },
    find: (txid) => shown.raws.get(txid),
  };
}

function nameOf({ txid }: ScannedBlock, t: number): string {
  return toDisplayHash(txid.subarray(t * 32, t * 32 + 32));
}

function hexOf({ raw, txOffset }: ScannedBlock, t: number): string {
  return Buffer.from(raw.subarray(txOffset[t], txOffset[t + 1])).toString('hex');
}

function spendsAny(
  { raw, inputStart, outpointOffset }: ScannedBlock,
  t: number,
  txids: ReadonlySet<string>,
): boolean {
  for (let input = inputStart[t]!; input < inputStart[t + 1]!; input++) {
    const at = outpointOffset[input]!;
    if (txids.has(toDisplayHash(raw.subarray(at, at + 32)))) return true;
  }
  return false;
}
