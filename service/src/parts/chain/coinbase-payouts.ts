import { HIGH_VALUE, payeeCounts } from '../../chain/payout-counts.ts';
import { defineTable } from '../../db/table.ts';
import { sha256 } from '../../indexer/encoding/hashes.ts';
import type { ConnectedBlock, IndexerPart, PartWriter } from '../../indexer/parts/part.ts';

/**
 * Every script that a coinbase ever paid, with its number: that of the first output that did. The other tables name it by that: new scripts
 * come behind all others there, and miners who take a new address for each block cost no page of an old one.
 */
export const payeeTable = {
  kind: 'state',
  table: defineTable({
    name: 'coinbase_payee',
    columns: { script_hash: 'bytes', script_id: 'int' },
    primaryKey: ['script_hash'],
  }),
} as const;

/** Every output of a coinbase that pays something. */
export const payoutTable = {
  kind: 'entries',
  table: defineTable({
    name: 'coinbase_payout',
    columns: { script_id: 'int', height: 'int', vout: 'int', value: 'amount' },
    primaryKey: ['script_id', 'height', 'vout'],
  }),
} as const;

/** What is counted of each payee. */
export const payeeCountTable = {
  kind: 'amounts',
  table: defineTable({
    name: 'coinbase_payee_count',
    columns: { script_id: 'int', what: 'int', amount: 'amount' },
    primaryKey: ['script_id', 'what'],
  }),
} as const;

type Payout = { vout: number; value: bigint; hash: Uint8Array };

/** Follows who is paid by coinbases: what a miner looks up. */
export const coinbasePayouts: IndexerPart = {
  name: 'coinbase_payouts',
  version: 3,
  tables: [payeeTable, payoutTable, payeeCountTable],
  async connectBlock(block, writer) {
    const payouts: Payout[] = [];
    for (const [vout, { value, script }] of block.getTransaction(0).outputs.entries())
      if (value > 0n) payouts.push({ vout, value, hash: sha256(script) });
    if (payouts.length === 0) return;
    const ids = await numberPayees(block, writer, payouts);
    const paid = new Map<number, bigint>();
    for (const [i, { vout, value }] of payouts.entries()) {
      const id = ids[i]!;
      writer.append(payoutTable, { script_id: id, height: block.height, vout, value });
      paid.set(id, (paid.get(id) ?? 0n) + value);
    }
    await countPaid(writer, paid);
  },
};

/** The numbers of the scripts, in their order; new ones are given one. */
async function numberPayees(
  block: ConnectedBlock,
  writer: PartWriter,
  payouts: readonly Payout[],
): Promise<number[]> {
  const firstOutput = block.getTxId(0);
  const cells = await writer.open(
    payeeTable,
    payouts.map(({ hash }) => [hash]),
  );
  return payouts.map(({ vout, hash }, i) => {
    const cell = cells[i]!;
    if (cell.row === undefined) writer.set(cell, { script_hash: hash, script_id: firstOutput + vout });
    return cell.row!.script_id as number;
  });
}

async function countPaid(writer: PartWriter, paid: ReadonlyMap<number, bigint>): Promise<void> {
  const counts = writer.amounts(payeeCountTable);
  const whats = [payeeCounts.blocks, payeeCounts.value];
  const slots = await counts.open(
    [...paid.keys()].flatMap((id) => whats.map(() => id)),
    [...paid].flatMap(() => whats),
  );
  let at = 0;
  for (const [id, value] of paid) {
    const [blocks, low] = [slots[at++]!, slots[at++]!];
    counts.set(blocks, counts.get(blocks) + 1n);
    const sum = counts.get(low) + value;
    counts.set(low, sum % HIGH_VALUE);
    if (sum < HIGH_VALUE) continue;
    const [high] = (await counts.open([id], [payeeCounts.highValue])) as [number];
    counts.set(high, counts.get(high) + sum / HIGH_VALUE);
  }
}
