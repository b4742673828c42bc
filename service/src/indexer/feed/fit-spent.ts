import type { ScannedBlock } from '@coinfront/protocol/block-scan.ts';
import type { SpentOutputs } from '@coinfront/protocol/spent-outputs.ts';

/**
 * Why what a node says of the outputs that a block spends cannot be true of that block; undefined where it can: as many outputs as each
 * transaction has inputs, and no transaction pays more than it spends.
 */
export function findMisfit(scan: ScannedBlock, spent: SpentOutputs): string | undefined {
  if (spent.txCount !== scan.txCount) {
    return `it has ${spent.txCount} transactions, the block ${scan.txCount}`;
  }
  for (let t = 1; t < scan.txCount; t++) {
    const inputs = scan.inputStart[t + 1]! - scan.inputStart[t]!;
    const outputs = spent.start[t + 1]! - spent.start[t]!;
    if (inputs !== outputs) return `transaction ${t} has ${inputs} inputs, and ${outputs} spent outputs`;
    const paid = sum(scan.outputValue, scan.outputStart[t]!, scan.outputStart[t + 1]!);
    if (sum(spent.value, spent.start[t]!, spent.start[t + 1]!) < paid) {
      return `transaction ${t} pays more than it spends`;
    }
  }
  return undefined;
}

function sum(values: BigInt64Array, from: number, to: number): bigint {
  let total = 0n;
  for (let i = from; i < to; i++) total += values[i]!;
  return total;
}
