import type { ScannedBlock } from '@coinfront/protocol/block-scan.ts';
import { bytesToHex } from '@coinfront/protocol/bytes.ts';
import { type FetchedBlock, isNullOutpoint } from '../feed/fetched-block.ts';
import { outpointKeyAt } from './held-spends.ts';
import type { HeldTxs } from './held-txs.ts';
import type { MempoolEntry } from './mempool-rows.ts';
import type { ReplacementTrack } from './track-replacements.ts';

/** What leaves the mempool by blocks, each once: what they have, and with all that builds on it what spends the same as they do. */
export type LeavingTxs = {
  readonly mined: ReadonlySet<MempoolEntry>;
  readonly replaced: ReadonlySet<MempoolEntry>;
};

/** Finds what leaves the mempool by blocks; the track is told of what they replace. */
export async function listLeaving(
  blocks: readonly FetchedBlock[],
  held: HeldTxs,
  track: ReplacementTrack,
  nowMs: number,
): Promise<LeavingTxs> {
  const mined = new Set<MempoolEntry>();
  const replaced = new Set<MempoolEntry>();
  for (const { scan } of blocks) {
    const others: number[] = [];
    for (let t = 0; t < scan.txCount; t++) {
      const entry = held.mayHave(scan.txid, t * 32) ? held.find(txidAt(scan, t)) : undefined;
      if (!entry) others.push(t);
      else if (!replaced.has(entry)) mined.add(entry);
    }
    // What a transaction of the mempool spends, no other of it does.
    for (const t of others) {
      for (let input = scan.inputStart[t]!; input < scan.inputStart[t + 1]!; input++) {
        const offset = scan.outpointOffset[input]!;
        if (isNullOutpoint(scan.raw, offset)) continue;
        if (track.isIdle && !held.maySpend(scan.raw, offset)) continue;
        const outpoint = outpointKeyAt(scan.raw, offset);
        if (!track.isIdle) await track.noteSpend(outpoint, txidAt(scan, t), nowMs);
        const spender = held.findSpender(outpoint);
        if (!spender || mined.has(spender) || replaced.has(spender)) continue;
        const family = held.withDescendants(spender);
        for (const entry of family) if (!mined.has(entry)) replaced.add(entry);
        await track.noteReplaced(spender, family, txidAt(scan, t), nowMs);
      }
    }
  }
  return { mined, replaced };
}

function txidAt({ txid }: ScannedBlock, t: number): string {
  return bytesToHex(txid.subarray(t * 32, t * 32 + 32));
}
