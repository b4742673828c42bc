import {
  type EpochSummary,
  type Receipt,
  verifyRegistrySignature,
} from '@coinfront/protocol/registry/receipt.ts';
import type { Client } from '../client/client.ts';
import { iterateItems } from '../client/iterate-pages.ts';
import { listReceipts } from '../nodes/list-receipts.ts';
import { verifyEpochReceipts } from './verify-epoch.ts';

/** Why the receipts that a service shows are not those of a closed epoch. */
export const EPOCH_RECEIPT_FAULTS = {
  receipt_missing: 'A receipt of the epoch is not shown.',
  receipt_unsigned: 'The registry has not signed a receipt.',
  receipts_changed: 'The receipts are not those that the epoch was closed with.',
} as const;
export type EpochReceiptFault = keyof typeof EPOCH_RECEIPT_FAULTS;

/** What was found of the receipts of an epoch. */
export type EpochReceiptsVerdict =
  | { ok: true; receipts: number }
  | {
      ok: false;
      code: EpochReceiptFault;
      /** The receipt; undefined where only all of them together show it. */
      sequence: number | undefined;
    };

/** Receipts of one epoch that are read at most: seven times what 9,500 nodes have in a day. */
const MAX_RECEIPTS = 1_000_000;
const PAGE = 100;

/**
 * Reads all receipts of a closed epoch, and checks that they are those that it was closed with. Take the summary from a log that was checked:
 * {@link auditLog} and {@link verifyEpoch} give such. Services of before that do not know `below` refuse it.
 *
 * @throws CoinfrontError of the reads
 * @throws RangeError where the summary counts more than a million receipts
 * @example
 * for (const { summary } of (await auditLog(client, about)).epochs) await auditEpochReceipts(client, summary);
 */
export async function auditEpochReceipts(
  client: Client,
  summary: EpochSummary,
): Promise<EpochReceiptsVerdict> {
  const { first_sequence: first, last_sequence: last, receipts: count } = summary;
  if (count !== last - first + 1) return { ok: false, code: 'receipts_changed', sequence: undefined };
  if (!(count <= MAX_RECEIPTS)) throw new RangeError(`an epoch of ${count} receipts is not read`);
  const readPage = (cursor: string | undefined) =>
    listReceipts(client, { below: last + 1, limit: PAGE, cursor });
  const newestFirst: Receipt[] = [];
  for await (const { receipt: given, signature } of iterateItems(readPage, { maxPages: count + 1 })) {
    const sequence = last - newestFirst.length;
    const receipt = given as Receipt | null;
    if (receipt?.sequence !== sequence) return { ok: false, code: 'receipt_missing', sequence };
    if (!verifyRegistrySignature(receipt, signature))
      return { ok: false, code: 'receipt_unsigned', sequence };
    newestFirst.push(receipt);
    if (newestFirst.length === count) break;
  }
  if (newestFirst.length < count)
    return { ok: false, code: 'receipt_missing', sequence: last - newestFirst.length };
  return verifyEpochReceipts(summary, newestFirst.reverse())
    ? { ok: true, receipts: count }
    : { ok: false, code: 'receipts_changed', sequence: undefined };
}
