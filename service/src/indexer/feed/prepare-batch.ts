import { SCRIPT_KEY_BYTES } from '@coinfront/protocol/block-scan.ts';
import { equalBytes, equalRanges, toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { keyOfScript } from '../encoding/hashes.ts';
import { type FetchedBlock, isNullOutpoint, previousHash, readVout } from './fetched-block.ts';
import type { FindPrevouts, SaidOutput, UnknownPrevout } from './find-prevouts.ts';
import { createRecentOutputs } from './recent-outputs.ts';
import { createRecentTxids } from './recent-txids.ts';
import type { SaidSpent } from './spent-trust.ts';

/** Blocks that follow one another, with all that connecting them needs to know. */
export type PreparedBatch = {
  blocks: readonly FetchedBlock[];
  /** Number of their first output. */
  firstOutput: number;
  /** By input: number of the output that it spends, or {@link COINBASE_INPUT}; its value, and 16 bytes that name its script. */
  spentOutput: Float64Array;
  spentValue: BigInt64Array;
  spentKeys: Uint8Array;
};

/** The input of a coinbase spends nothing. */
export const COINBASE_INPUT = -1;

/** Thrown when a block spends an output that the index does not have: the index does not fit the node's chain. */
export class UnknownPrevoutError extends Error {
  override readonly name = 'UnknownPrevoutError';
}

/** When a batch is large enough to be applied. Each block counts as some bytes more than it has. */
export type BatchLimits = { readonly bytes: number; readonly txs: number };

export type PreparerLimits = {
  /** Transactions whose txids are remembered, at least, and outputs: powers of two. */
  readonly recentTxs: number;
  readonly recentOutputs: number;
  /** So many inputs that spend older outputs are looked up together. */
  readonly inputsAtOnce: number;
};

/**
 * What the service remembers: 50 MB each. It is more than the index may have in its memory before it commits, so what is
 * not remembered is found in the database.
 */
export const PREPARER_LIMITS: PreparerLimits = {
  recentTxs: 1 << 19,
  recentOutputs: 1 << 21,
  inputsAtOnce: 4_096,
};

/** Prepares one batch after another. */
export type BatchPreparer = {
  /** Of the blocks that are ready to be taken, and of all. */
  readonly ready: BatchLimits;
  readonly size: BatchLimits;
  /** Whether so much waits to be looked up that it should be. */
  readonly isDue: boolean;
  /** Whether a block goes on from the last one added. */
  isNext(block: FetchedBlock): boolean;
  /**
   * Adds a block. One that does not go on from the last needs the number of its first output; what was added and not taken is
   * dropped. Memory goes back to the block before it, or begins anew where that is not remembered.
   *
   * @param said what the node says of the outputs that it spends; they need not be read then
   */
  add(block: FetchedBlock, firstOutput?: number, said?: SaidSpent): void;
  /** Remembers a block that the index has, as {@link BatchPreparer.add} does, for those that follow it. */
  remember(block: FetchedBlock, firstOutput: number): void;
  /**
   * Looks up what the blocks spend that is not remembered; then they can be taken.
   * @throws UnknownPrevoutError
   */
  resolve(find: FindPrevouts): Promise<void>;
  /** Ends the batch under way; undefined when no block is ready. */
  take(): PreparedBatch | undefined;
  /** Lets go of what was added and not taken, also while it is looked up. */
  drop(): void;
};

/** What a block takes of a batch besides its own bytes: rows and objects that each has, whatever is in it. */
const BLOCK_BYTES = 4_096;

/** Blocks to which memory can go back: reorgs are rarely deeper, and then what is spent is looked up. */
const TRAIL = 1_000;

type Waiting = {
  block: FetchedBlock;
  spentOutput: Float64Array;
  spentValue: BigInt64Array;
  spentKeys: Uint8Array;
};

/** Creates a preparer that knows of no block. */
export function createBatchPreparer(limits: PreparerLimits): BatchPreparer {
  const txids = createRecentTxids(limits.recentTxs);
  const outputs = createRecentOutputs(limits.recentOutputs);
  /** The latest blocks that are remembered. */
  let trail: { hash: Uint8Array; endOutput: number }[] = [];
  let waiting: Waiting[] = [];
  let unknown: (UnknownPrevout & { of: Waiting; input: number })[] = [];
  let done: Waiting[] = [];
  const waitingSize = { bytes: 0, txs: 0 };
  const doneSize = { bytes: 0, txs: 0 };
  let firstOutput = 0;
  let nextOutput = 0;
  /** Grows where blocks are dropped: what is looked up meanwhile is for nobody any more. */
  let epoch = 0;

  const isAfter = (block: FetchedBlock, { hash }: { hash: Uint8Array }): boolean =>
    equalBytes(previousHash(block), hash);
  const isNext = (block: FetchedBlock): boolean => {
    const last = trail.at(-1);
    return last !== undefined && isAfter(block, last);
  };

  const drop = (): void => {
    epoch++;
    waiting = [];
    unknown = [];
    done = [];
    reset(waitingSize);
    reset(doneSize);
    firstOutput = nextOutput;
  };

  /** Begins with a block that does not go on from the last one. */
  const begin = (block: FetchedBlock, first: number): void => {
    nextOutput = first;
    drop();
    const fork = trail.findLastIndex((each) => each.endOutput === first && isAfter(block, each));
    trail = trail.slice(0, fork + 1);
    if (fork < 0) {
      txids.clear();
      outputs.clear();
    } else {
      txids.forgetFrom(first);
      outputs.forgetFrom(first);
    }
  };

  const addToMemory = ({ hash, scan }: FetchedBlock): void => {
    outputs.add(nextOutput, scan.outputValue, scan.scriptKeys);
    txids.add(scan.txid, nextOutput, scan.outputStart);
    nextOutput += scan.outputCount;
    trail.push({ hash, endOutput: nextOutput });
    if (trail.length > 2 * TRAIL) trail = trail.slice(-TRAIL);
  };

  /** Takes what is remembered of the outputs that a block spends, `spentOutput` being the ids of their transactions; the others are to be looked up. */
  const takeRemembered = (each: Waiting, said: SaidSpent | undefined): void => {
    const { spentOutput, spentValue, spentKeys } = each;
    const { scan, height } = each.block;
    // The coinbase comes first, and is not among what is spent.
    const placeOf = (input: number): number => input - scan.inputStart[1]!;
    const remembered = new Uint32Array(scan.inputCount);
    let count = 0;
    for (let input = 0; input < scan.inputCount; input++) {
      const offset = scan.outpointOffset[input]!;
      const txId = spentOutput[input]!;
      const outputId = txId + readVout(scan.raw, offset);
      if (isNullOutpoint(scan.raw, offset)) spentOutput[input] = COINBASE_INPUT;
      else if (txId >= 0 && outputs.has(outputId)) {
        spentOutput[input] = outputId;
        remembered[count++] = input;
      } else {
        const ofNode = said && readSaid(said, placeOf(input));
        unknown.push({ raw: scan.raw, offset, of: each, input, height, said: ofNode });
      }
    }
    const inputs = remembered.subarray(0, count);
    outputs.copy(spentOutput, inputs, { values: spentValue, keys: spentKeys });
    if (said === undefined) return;
    for (const input of inputs)
      if (said.spent.value[placeOf(input)] !== spentValue[input])
        said.trust.withdraw(`block ${height}: another value`);
  };

  return {
    get ready() {
      return doneSize;
    },
    get size() {
      return { bytes: doneSize.bytes + waitingSize.bytes, txs: doneSize.txs + waitingSize.txs };
    },
    get isDue() {
      return unknown.length >= limits.inputsAtOnce;
    },
    isNext,
    add(block, first, said) {
      if (!isNext(block)) {
        if (first === undefined) throw new Error(`block ${block.height} does not follow the one before`);
        begin(block, first);
      }
      const { scan } = block;
      const each: Waiting = {
        block,
        spentOutput: new Float64Array(scan.inputCount),
        spentValue: new BigInt64Array(scan.inputCount),
        spentKeys: new Uint8Array(scan.inputCount * SCRIPT_KEY_BYTES),
      };
      // A transaction may spend what another one of its block makes.
      addToMemory(block);
      txids.find(scan.raw, scan.outpointOffset, each.spentOutput);
      takeRemembered(each, said);
      waiting.push(each);
      waitingSize.bytes += scan.raw.length + BLOCK_BYTES;
      waitingSize.txs += scan.txCount;
    },
    remember(block, first) {
      if (!isNext(block)) begin(block, first);
      addToMemory(block);
      firstOutput = nextOutput;
    },
    async resolve(find) {
      const asked = unknown;
      const resolved = waiting;
      const began = epoch;
      unknown = [];
      waiting = [];
      reset(waitingSize);
      if (asked.length > 0) {
        const found = await find(asked, firstOutput);
        if (epoch !== began) return;
        for (const [i, { of, input, raw, offset, height }] of asked.entries()) {
          const prevout = found[i] ?? findAhead(raw, offset, [...done, ...resolved], firstOutput);
          if (!prevout) {
            const txid = toDisplayHash(raw.subarray(offset, offset + 32));
            throw new UnknownPrevoutError(
              `block ${height} spends ${txid}:${readVout(raw, offset)}, which the index does not have; delete the index to have it rebuilt`,
            );
          }
          of.spentOutput[input] = prevout.outputId;
          of.spentValue[input] = prevout.value;
          of.spentKeys.set(prevout.key, input * SCRIPT_KEY_BYTES);
        }
      }
      for (const { block } of resolved) {
        doneSize.bytes += block.scan.raw.length + BLOCK_BYTES;
        doneSize.txs += block.scan.txCount;
      }
      done.push(...resolved);
    },
    take() {
      if (done.length === 0) return undefined;
      const batch: PreparedBatch = {
        blocks: done.map(({ block }) => block),
        firstOutput,
        spentOutput: joinColumns(done, 'spentOutput', Float64Array),
        spentValue: joinColumns(done, 'spentValue', BigInt64Array),
        spentKeys: joinColumns(done, 'spentKeys', Uint8Array),
      };
      firstOutput += done.reduce((sum, { block }) => sum + block.scan.outputCount, 0);
      done = [];
      reset(doneSize);
      return batch;
    },
    drop,
  };
}

function readSaid({ spent }: SaidSpent, place: number): SaidOutput {
  const at = spent.scriptOffset[place]!;
  const script = spent.raw.subarray(at, at + spent.scriptLength[place]!);
  return { value: spent.value[place]!, key: keyOfScript(script) };
}

/** An output of blocks that are not in the index yet, and of which there are more than is remembered. */
function findAhead(raw: Uint8Array, offset: number, blocks: readonly Waiting[], firstOutput: number) {
  const vout = readVout(raw, offset);
  let first = firstOutput;
  for (const { block } of blocks) {
    const { scan } = block;
    for (let t = 0; t < scan.txCount; t++) {
      if (!equalRanges(scan.txid, t * 32, raw, offset, 32)) continue;
      const output = scan.outputStart[t]! + vout;
      if (output >= scan.outputStart[t + 1]!) return undefined;
      const key = scan.scriptKeys.subarray(output * SCRIPT_KEY_BYTES, (output + 1) * SCRIPT_KEY_BYTES);
      return { outputId: first + output, value: scan.outputValue[output]!, key };
    }
    first += scan.outputCount;
  }
  return undefined;
}

function reset(size: { bytes: number; txs: number }): void {
  size.bytes = 0;
  size.txs = 0;
}

type Columns = { spentOutput: Float64Array; spentValue: BigInt64Array; spentKeys: Uint8Array };

function joinColumns<Name extends keyof Columns>(
  parts: readonly Columns[],
  name: Name,
  make: new (length: number) => Columns[Name],
): Columns[Name] {
  const joined = new make(parts.reduce((sum, part) => sum + part[name].length, 0));
  let at = 0;
  for (const part of parts) {
    (joined as { set(column: Columns[Name], at: number): void }).set(part[name], at);
    at += part[name].length;
  }
  return joined;
}
