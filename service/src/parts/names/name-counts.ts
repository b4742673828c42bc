/** Totals of the registry, kept so that nothing is counted by scanning. */

import type { NameRecord } from '@coinfront/protocol/names/name-rules.ts';
import type { PartWriter } from '../../indexer/parts/part.ts';
import { expiringTable, nameCountLog, nameCountTable } from './name-tables.ts';

/** The totals while one block is connected. */
export type NameCounts = {
  noteValid(paid: bigint): void;
  noteInvalid(): void;
  /** A name's record was written. */
  noteRecord(before: NameRecord | undefined, after: NameRecord): Promise<void>;
  /** Writes the totals when they changed. */
  save(): Promise<void>;
};

/** Reads the totals for the block of a height: names that expire there are no longer registered. */
export async function openNameCounts(writer: PartWriter, height: number): Promise<NameCounts> {
  const row = await writer.find(nameCountTable, [0]);
  const totals = {
    names: Number(row?.names ?? 0),
    registered: Number(row?.registered ?? 0),
    valid: Number(row?.valid ?? 0),
    invalid: Number(row?.invalid ?? 0),
    paid: BigInt(String(row?.paid ?? 0)),
    changes: Number(row?.changes ?? 0),
  };
  const before = { ...totals };
  const expired = totals.registered === 0 ? 0 : await countExpiring(writer, height);
  totals.registered -= expired;
  let isChanged = expired > 0;

  const change = async (at: number, by: number): Promise<void> => {
    const names = (await countExpiring(writer, at)) + by;
    totals.registered += by;
    if (names === 0) await writer.remove(expiringTable, [at]);
    else await writer.put(expiringTable, { height: at, names });
  };
  return {
    noteValid(paid) {
      totals.valid += 1;
      totals.paid += paid;
      isChanged = true;
    },
    noteInvalid() {
      totals.invalid += 1;
      isChanged = true;
    },
    async noteRecord(before, after) {
      if (before === undefined) totals.names += 1;
      if (before?.expiry === after.expiry) return;
      if (before && height < before.expiry) await change(before.expiry, -1);
      // A renewal late in grace can leave the name expired.
      if (height < after.expiry) await change(after.expiry, 1);
    },
    async save() {
      if (!isChanged) return;
      const { names, registered } = totals;
      if (names !== before.names || registered !== before.registered)
        writer.append(nameCountLog, { height, number: totals.changes++, names, registered });
      await writer.put(nameCountTable, { id: 0, ...totals, paid: String(totals.paid) });
    },
  };
}

async function countExpiring(writer: PartWriter, height: number): Promise<number> {
  return Number((await writer.find(expiringTable, [height]))?.names ?? 0);
}
