import { defineTable } from '../../service/src/db/table.ts';
import type { IndexerPart, PartAmounts, PartWriter } from '../../service/src/indexer/parts/part.ts';

/** A table with a column of every type, whose rows come, change and go. */
const holdingTable = {
  kind: 'state',
  table: defineTable({
    name: 'test_holding',
    columns: {
      owner: 'int',
      name: 'text',
      amount: 'amount',
      last_txid: 'bytes',
      sum: 'total',
      note: 'text?',
      height: 'int',
    },
    primaryKey: ['owner', 'name'],
  }),
} as const;

const eventTable = {
  kind: 'log',
  table: defineTable({
    name: 'test_event',
    columns: { height: 'int', position: 'int', amount: 'amount', note: 'text?' },
    primaryKey: ['height', 'position'],
  }),
} as const;

const visitTable = {
  kind: 'entries',
  table: defineTable({
    name: 'test_visit',
    columns: { owner: 'int', tx_id: 'int', note: 'text?' },
    primaryKey: ['owner', 'tx_id'],
  }),
} as const;

const pastTable = {
  kind: 'past',
  table: defineTable({
    name: 'test_past_balance',
    columns: { owner: 'int', kind: 'int', height: 'int', amount: 'amount' },
    primaryKey: ['owner', 'kind', 'height'],
  }),
} as const;

const balanceTable = {
  kind: 'amounts',
  table: defineTable({
    name: 'test_balance',
    columns: { owner: 'int', kind: 'int', amount: 'amount' },
    primaryKey: ['owner', 'kind'],
    indexes: [['kind', 'amount', 'owner']],
  }),
  past: pastTable.table,
} as const;

const tables = [holdingTable, eventTable, visitTable, balanceTable, pastTable];

export const syntheticTables = tables.map(({ table }) => table);

/**
 * A part that does all that a part may: adds rows, changes the same row or amount several times in a block, removes rows and
 * makes them again, and reads what it wrote.
 */
export const syntheticPart: IndexerPart = {
  name: 'synthetic',
  version: 1,
  tables,
  async connectBlock(block, writer) {
    const balances = writer.amounts(balanceTable);
    // In the middle of what a block changes, so that some of it is kept for undoing before, some after.
    const middle = block.height % 3 === 0 ? block.txCount >> 1 : undefined;
    for (let position = 0; position < block.txCount; position++) {
      const { outputs } = block.getTransaction(position);
      const amount = outputs.reduce((sum, { value }) => sum + value, 0n);
      const txid = block.getTxid(position).slice();
      const owner = txid[0]! % 5;
      if (position === middle) await noteSums(writer, block.height, txid);
      const name = `"${txid[1]! % 3}\\'`;
      const spent = position === 0 ? undefined : await block.findPrevoutScript(position, 0);
      const note = spent === undefined ? null : String(spent.length);
      writer.append(eventTable, { height: block.height, position, amount, note });
      writer.append(visitTable, { owner, tx_id: block.getTxId(position), note });
      await moveBalances(balances, txid, amount);
      const before = await writer.find(holdingTable, [owner, name]);
      if (before && txid[2]! % 3 === 0) {
        await writer.remove(holdingTable, [owner, name]);
        continue;
      }
      await writer.put(holdingTable, {
        // Not in the order of the columns: the order in which a part writes them must not matter.
        note,
        height: block.height,
        amount: amount + ((before?.amount as bigint | undefined) ?? 0n) / 2n,
        sum: String(BigInt(String(before?.sum ?? 0)) + amount * 2n ** 40n),
        last_txid: txid,
        name,
        owner,
      });
    }
  },
};

/** Reads all that there is, and writes what it comes to. */
async function noteSums(writer: PartWriter, height: number, txid: Uint8Array): Promise<void> {
  let sum = 0n;
  let rows = 0;
  for await (const { amount } of writer.scan(balanceTable)) sum += amount as bigint;
  for await (const _ of writer.scan(holdingTable)) rows++;
  const note = String(rows);
  await writer.put(holdingTable, {
    owner: 9,
    name: 'sums',
    amount: sum,
    last_txid: txid,
    sum: '0',
    note,
    height,
  });
}

/** From one owner to another, who may be the same: some balances come to zero, and some of those come back. */
async function moveBalances(balances: PartAmounts, txid: Uint8Array, amount: bigint): Promise<void> {
  const kind = txid[3]! % 3;
  const [from, to] = (await balances.open([txid[4]! % 7, txid[5]! % 7], [kind, kind])) as [number, number];
  const moved = txid[6]! % 2 === 0 ? balances.get(from) : 0n;
  balances.set(from, balances.get(from) - moved);
  balances.set(to, balances.get(to) + moved + (txid[7]! % 4 === 0 ? amount : 0n));
}
