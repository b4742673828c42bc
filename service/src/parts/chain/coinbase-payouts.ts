import { defineTable } from '../../db/table.ts';
import { sha256 } from '../../indexer/encoding/hashes.ts';
import type { ConnectedBlock, IndexerPart, PartWriter } from '../../indexer/parts/part.ts';

/** Every output of a coinbase that pays something, by the SHA-256 of its scriptPubKey. */
export const payoutTable = {
  kind: 'entries',
  table: defineTable({
    name: 'coinbase_payout',
    columns: { script_hash: 'bytes', height: 'int', vout: 'int', value: 'amount' },
    primaryKey: ['script_hash', 'height', 'vout'],
  }),
} as const;

/** For each script that a coinbase ever paid: in how many blocks, how much, and when. */
export const payeeTable = {
  kind: 'state',
  table: defineTable({
    name: 'coinbase_payee',
    columns: { script_hash: 'bytes', blocks: 'int', value: 'total', first_height: 'int', last_height: 'int' },
    primaryKey: ['script_hash'],
  }),
} as const;

/** Follows who is paid by coinbases: what a miner looks up. */
export const coinbasePayouts: IndexerPart = {
  name: 'coinbase_payouts',
  version: 2,
  tables: [payoutTable, payeeTable],
  async connectBlock(block, writer) {
    const paid = new Map<string, { hash: Uint8Array; value: bigint }>();
    for (const [vout, { value, script }] of block.getTransaction(0).outputs.entries()) {
      if (value === 0n) continue;
      const hash = sha256(script);
      writer.append(payoutTable, { script_hash: hash, height: block.height, vout, value });
      const key = hash.toString();
      const payee = paid.get(key);
      if (payee) payee.value += value;
      else paid.set(key, { hash, value });
    }
    for (const { hash, value } of paid.values()) await addPayout(block, writer, hash, value);
  },
};

async function addPayout(
  block: ConnectedBlock,
  writer: PartWriter,
  hash: Uint8Array,
  value: bigint,
): Promise<void> {
  const before = await writer.find(payeeTable, [hash]);
  await writer.put(payeeTable, {
    script_hash: hash,
    blocks: Number(before?.blocks ?? 0) + 1,
    value: String(BigInt(String(before?.value ?? 0)) + value),
    first_height: Number(before?.first_height ?? block.height),
    last_height: block.height,
  });
}
