import type { EpochJson, ReceiptJson } from '@coinfront/api/registry.ts';
import type { LogAnchorJson } from '@coinfront/api/signed-log.ts';
import { hashRegistryText } from '@coinfront/protocol/registry/receipt.ts';
import { readSummary, type StoredEpoch } from './epoch-store.ts';
import { readReceipt, type StoredReceipt } from './receipt-store.ts';

export function serialiseReceipt(stored: StoredReceipt): ReceiptJson {
  return { receipt: readReceipt(stored), hash: stored.hash, signature: stored.signature };
}

/** An epoch that is closed, or the open one with its receipts so far. */
export function serialiseEpoch(
  epoch: StoredEpoch | { epoch: number; receipts: number },
  epochBlocks: number,
  anchor: LogAnchorJson | undefined,
): EpochJson {
  const heights = {
    from_height: epoch.epoch * epochBlocks,
    to_height: (epoch.epoch + 1) * epochBlocks - 1,
  };
  if (!('text' in epoch)) {
    const { receipts } = epoch;
    return {
      epoch: epoch.epoch,
      state: 'open',
      ...heights,
      receipts,
      summary: null,
      hash: null,
      signature: null,
      anchor: null,
    };
  }
  const summary = readSummary(epoch);
  return {
    epoch: epoch.epoch,
    state: 'closed',
    ...heights,
    receipts: summary.receipts,
    summary,
    hash: hashRegistryText(epoch.text),
    signature: epoch.signature,
    anchor: anchor ?? null,
  };
}
