import { equalBytes } from '@coinfront/protocol/bytes.ts';
import { keyOfHash } from '@coinfront/protocol/hash-key.ts';
import { type FetchedBlock, isNullOutpoint, previousHash, readVout } from './fetched-block.ts';
import { createRecentTxids } from './recent-txids.ts';
import { createScriptGroups, type ScriptGroups } from './script-groups.ts';

/**
 * Blocks that follow one another, with all that can be said of them without the index. Outputs are numbered from where
 * the preparation began: the index knows how far that is from its own numbers.
 */
export type PreparedBatch = {
  blocks: readonly FetchedBlock[];
  /** Number of the first output. */
  firstOutput: number;
  /** By transaction: the key under which the index finds it. */
  txKey: Float64Array;
  /** By input: number of the output that it spends, {@link COINBASE_INPUT} or {@link UNKNOWN_PREVOUT}. */
  spentOutput: Float64Array;
  scripts: ScriptGroups;
};

/** The input of a coinbase spends nothing. */
export const COINBASE_INPUT = -1;
/** The output is older than what the preparation remembers. */
export const UNKNOWN_PREVOUT = -2;

/** When a batch is large enough to be applied. */
export type BatchLimits = { readonly bytes: number; readonly txs: number };

/** Transactions that the service's preparation remembers at least: 50 MB. */
export const RECENT_TXS = 1 << 19;

/** Prepares one batch after another. */
export type BatchPreparer = {
  /** Of the batch under way. */
  readonly size: BatchLimits;
  /** Whether a block goes on from the last one added. */
  isNext(block: FetchedBlock): boolean;
  /** Adds a block. With one that does not go on from the last, numbers and memory begin anew, and no batch may be under way. */
  add(block: FetchedBlock): void;
  /** Ends the batch under way; undefined when it has no block. */
  take(): PreparedBatch | undefined;
};

/** @param recentTxs transactions whose txids are remembered, at least; a power of two */
export function createBatchPreparer(recentTxs: number): BatchPreparer {
  const recent = createRecentTxids(recentTxs);
  const scripts = createScriptGroups();
  let last: Uint8Array | undefined;
  let blocks: FetchedBlock[] = [];
  let bytes = 0;
  let txs = 0;
  let firstOutput = 0;
  let nextOutput = 0;
  let txKey: Float64Array[] = [];
  let spentOutput: Float64Array[] = [];

  const isNext = (block: FetchedBlock): boolean =>
    last !== undefined && equalBytes(previousHash(block), last);

  return {
    get size() {
      return { bytes, txs };
    },
    isNext,
    add(block) {
      if (!isNext(block)) {
        if (blocks.length > 0) throw new Error(`block ${block.height} does not follow the batch under way`);
        recent.clear();
        firstOutput = 0;
        nextOutput = 0;
      }
      const { scan } = block;
      const keys = new Float64Array(scan.txCount);
      const spent = new Float64Array(scan.inputCount);
      for (let t = 0; t < scan.txCount; t++) {
        for (let i = scan.inputStart[t]!; i < scan.inputStart[t + 1]!; i++) {
          const offset = scan.outpointOffset[i]!;
          if (isNullOutpoint(scan.raw, offset)) spent[i] = COINBASE_INPUT;
          else {
            const id = recent.find(scan.raw, offset);
            spent[i] = id < 0 ? UNKNOWN_PREVOUT : id + readVout(scan.raw, offset);
          }
        }
        keys[t] = keyOfHash(scan.txid, t * 32);
        recent.add(scan.txid, t * 32, nextOutput);
        nextOutput += scan.outputStart[t + 1]! - scan.outputStart[t]!;
      }
      scripts.add(scan);
      blocks.push(block);
      txKey.push(keys);
      spentOutput.push(spent);
      bytes += scan.raw.length;
      txs += scan.txCount;
      last = block.hash;
    },
    take() {
      if (blocks.length === 0) return undefined;
      const batch: PreparedBatch = {
        blocks,
        firstOutput,
        txKey: joinColumns(txKey),
        spentOutput: joinColumns(spentOutput),
        scripts: scripts.take(),
      };
      firstOutput = nextOutput;
      blocks = [];
      txKey = [];
      spentOutput = [];
      bytes = 0;
      txs = 0;
      return batch;
    },
  };
}

function joinColumns(parts: readonly Float64Array[]): Float64Array {
  const joined = new Float64Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}
