import type { NameRules } from '@coinfront/protocol/profile.ts';
import type { Reader } from '../../db/database.ts';
import { sql } from '../../db/statement.ts';
import type { Table } from '../../db/table.ts';
import type { UndoneRows } from '../../indexer/parts/read-undone.ts';
import type { ChangedRow } from '../../replicas/state-source.ts';
import {
  type CommitRow,
  type NameRow,
  toCommitRow,
  toNameRow,
  toRecordsRow,
  toReverseRow,
} from './name-state-rows.ts';
import { commitTable, nameTable, recordsTable, reverseTable } from './name-tables.ts';

const FIND_NAME = sql<NameRow>(
  'select name, owner, registered_height, expiry from name_record where name = $1',
);

/** The tables that the rows of the state are made of. */
export const nameStateTables: readonly Table[] = [
  nameTable.table,
  commitTable.table,
  reverseTable.table,
  recordsTable.table,
];

/** Rows of an earlier state of the registry: see {@link StateSource.listChanged}. */
export async function listChangedNames(
  reader: Reader,
  height: number,
  undone: UndoneRows,
  rules: NameRules,
): Promise<ChangedRow[]> {
  const findName = async (name: Uint8Array): Promise<NameRow | undefined> => {
    const known = undone.find(nameTable.table, [name]);
    return known ? (known.before as NameRow | undefined) : await reader.get(FIND_NAME, [name]);
  };
  const changed: ChangedRow[] = [];
  for (const { key, before } of undone.list(nameTable.table)) {
    const was = before && toNameRow(before as unknown as NameRow, height, rules);
    changed.push({ kind: 1, key: key[0] as Uint8Array, was });
  }
  for (const { key, before } of undone.list(commitTable.table)) {
    const was = before && toCommitRow(before as unknown as CommitRow, height, rules);
    changed.push({ kind: 2, key: key[0] as Uint8Array, was });
  }
  // Both have something of the record of their name in them. Where that alone has changed it was renewed, which no name is whose words
  // are dead: they were live before, too.
  for (const { key, before } of undone.list(reverseTable.table)) {
    const ownerHash = key[0] as Uint8Array;
    const record = before && (await findName(before.name as Uint8Array));
    const was = record && toReverseRow({ ...record, owner_hash: ownerHash }, height, rules);
    changed.push({ kind: 3, key: ownerHash, was });
  }
  for (const { key, before } of undone.list(recordsTable.table)) {
    const name = key[0] as Uint8Array;
    const record = before && (await findName(name));
    const was = record && toRecordsRow({ ...record, hash: before!.hash as Uint8Array }, height, rules);
    changed.push({ kind: 4, key: name, was });
  }
  return changed;
}
