import { defineTable } from '../../service/src/db/table.ts';
import type { IndexerPart } from '../../service/src/indexer/part.ts';

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

export const syntheticTables = [holdingTable.table, eventTable.table];

/**
 * A part that does all that a part may: adds rows, changes the same row several times in a block, removes rows and makes
 * them again, and reads what it wrote.
 */
export const syntheticPart: IndexerPart = {
  name: 'synthetic',
  version: 1,
  tables: [holdingTable, eventTable],
  async connectBlock(block, writer) {
    for (let position = 0; position < block.txCount; position++) {
      const { outputs } = block.getTransaction(position);
      const amount = outputs.reduce((sum, { value }) => sum + value, 0n);
      const txid = block.getTxid(position).slice();
      const owner = txid[0]! % 5;
      const name = `"${txid[1]! % 3}\\'`;
      const spent = position === 0 ? undefined : await block.findPrevoutScript(position, 0);
      const note = spent === undefined ? null : String(spent.length);
      writer.append(eventTable, { height: block.height, position, amount, note });
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
