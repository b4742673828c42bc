import type { SpentOutputs } from '@coinfront/protocol/spent-outputs.ts';
import type { DiskPace } from '../disk/disk-pace.ts';

/**
 * Whether the node's word on the outputs that blocks spend is taken. It is asked for where the disk is slow: from memory, reading a page
 * of outputs takes less than fetching the same from the node. Unlike a block it is named by no hash, so some of it is compared with the
 * index, and the first difference ends it until the service is started again.
 */
export type SpentTrust = {
  /** Whether it is worth asking for with the next block. */
  wantsNext(): boolean;
  readonly isTaken: boolean;
  /** Whether the next output is read from the index all the same, to be compared. */
  takesSample(): boolean;
  /** Ends it; only the first reason is told. */
  withdraw(reason: string): void;
};

/** What the node says of the outputs that one block spends, and whether that is believed. */
export type SaidSpent = { readonly spent: SpentOutputs; readonly trust: SpentTrust };

/** Outputs that are compared before any is believed: whoever serves something else entirely is noticed by them. */
const FIRST_SAMPLES = 256;
const OUTPUTS_A_SAMPLE = 64;
/** For so many blocks after the disk was slow: pages that are not read any more cannot tell that it still is. */
const BLOCKS_ON = 256;

/** @param onWithdrawn is told why the node's word is not taken any more */
export function createSpentTrust(
  pace: Pick<DiskPace, 'isSlow'>,
  onWithdrawn: (reason: string) => void,
): SpentTrust {
  let isTaken = true;
  let outputs = 0;
  let blocks = 0;
  return {
    wantsNext() {
      blocks = pace.isSlow ? BLOCKS_ON : Math.max(0, blocks - 1);
      return isTaken && blocks > 0;
    },
    get isTaken() {
      return isTaken;
    },
    takesSample() {
      outputs++;
      return outputs <= FIRST_SAMPLES || outputs % OUTPUTS_A_SAMPLE === 0;
    },
    withdraw(reason) {
      if (!isTaken) return;
      isTaken = false;
      onWithdrawn(reason);
    },
  };
}
