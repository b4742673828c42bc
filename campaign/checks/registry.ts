import type { ReceiptJson, RegistryStatusJson } from '@coinfront/api/registry.ts';
import { type Checked, need } from './checked.ts';

/** Receipts that were shown are still there and the same, and none is missing between them. */
export async function checkReceipts({ rig, record, isFull }: Checked): Promise<string[]> {
  const path = '/api/nodeproof/status';
  const { last_receipt, receipts }: RegistryStatusJson = need(path, await rig.client.get(path));
  if (last_receipt === null)
    return record.receipts.size === 0 ? [] : ['the receipts of the registry are gone'];
  const problems: string[] = [];
  const note = (sequence: number, hash: string) => {
    const known = record.receipts.get(sequence);
    if (known !== undefined && known !== hash)
      problems.push(`receipt ${sequence} was ${known} and is ${hash}`);
    record.receipts.set(sequence, hash);
  };
  note(last_receipt.sequence, last_receipt.hash);
  if (receipts !== last_receipt.sequence + 1)
    problems.push(`there are ${receipts} receipts, and the last has the number ${last_receipt.sequence}`);
  if (!isFull) return problems;
  let above: ReceiptJson | undefined;
  for (let query = '?limit=100'; query !== ''; ) {
    const list = `/api/nodeproof/receipts${query}`;
    const page = need(list, await rig.client.get(list));
    for (const shown of page.items as ReceiptJson[]) {
      note(shown.receipt.sequence, shown.hash);
      if (above && above.receipt.previous_hash !== shown.hash)
        problems.push(`receipt ${above.receipt.sequence} does not follow ${shown.receipt.sequence}`);
      above = shown;
    }
    query = page.next_cursor === null ? '' : `?limit=100&cursor=${page.next_cursor}`;
  }
  return problems;
}
