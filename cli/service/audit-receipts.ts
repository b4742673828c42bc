import type { EpochSummary } from '@coinfront/protocol/registry/receipt.ts';
import type { Client } from '@coinfront/sdk/client/client.ts';
import {
  auditEpochReceipts,
  EPOCH_RECEIPT_FAULTS,
  type EpochReceiptFault,
} from '@coinfront/sdk/verify/audit-epoch-receipts.ts';
import type { Terminal } from '../shell/context.ts';
import { createProgress } from '../shell/progress.ts';

/** What was found of the receipts of closed epochs. */
export type AuditedReceipts = {
  /** Epochs whose receipts were read. */
  epochs: number;
  /** Receipts that are those of their epochs. */
  receipts: number;
  faults: { epoch: number; code: EpochReceiptFault; sequence: number | null }[];
};

/** Reads all receipts of closed epochs, and checks them against the summaries in the log. */
export async function auditReceipts(
  terminal: Terminal,
  client: Client,
  summaries: readonly EpochSummary[],
): Promise<AuditedReceipts> {
  const progress = createProgress(terminal);
  const found: AuditedReceipts = { epochs: 0, receipts: 0, faults: [] };
  try {
    for (const summary of summaries) {
      progress.show(`receipts of ${found.epochs} of ${summaries.length} epochs …`);
      const verdict = await auditEpochReceipts(client, summary);
      found.epochs += 1;
      if (verdict.ok) found.receipts += verdict.receipts;
      else {
        const { code, sequence = null } = verdict;
        found.faults.push({ epoch: summary.epoch, code, sequence });
      }
    }
  } finally {
    progress.end();
  }
  return found;
}

/** Lines of print. */
export function describeReceipts({ epochs, receipts, faults }: AuditedReceipts): string[] {
  return [
    `receipts  ${receipts} of ${epochs - faults.length} epochs are those that the log has`,
    ...faults.map(({ epoch, code, sequence }) => {
      const where = sequence === null ? '' : ` (receipt ${sequence})`;
      return `WARNING   epoch ${epoch}${where}: ${EPOCH_RECEIPT_FAULTS[code]}`;
    }),
  ];
}
