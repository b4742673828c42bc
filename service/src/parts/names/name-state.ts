import type { NameRules } from '@coinfront/protocol/profile.ts';
import type { Reader } from '../../db/database.ts';
import { type Statement, sql } from '../../db/statement.ts';
import type { RowsBehind, StateSource } from '../../replicas/state-source.ts';
import { listChangedNames, nameStateTables } from './name-state-changes.ts';
import {
  type CommitRow,
  type NameRow,
  type RecordsRow,
  type ReverseRow,
  type ToStateRow,
  toCommitRow,
  toNameRow,
  toRecordsRow,
  toReverseRow,
} from './name-state-rows.ts';

const NAMES_BEHIND = sql<NameRow>(
  'select name, owner, registered_height, expiry from name_record where name > $1 order by name limit $2',
);
const COMMITS_BEHIND = sql<CommitRow>(
  'select commitment, height from name_commit where commitment > $1 order by commitment limit $2',
);

const REVERSES_BEHIND = sql<ReverseRow>(
  `select name_reverse.owner_hash, name_record.name, owner, registered_height, expiry
   from name_reverse join name_record on name_record.name = name_reverse.name
   where name_reverse.owner_hash > $1 order by name_reverse.owner_hash limit $2`,
);

const RECORDS_BEHIND = sql<RecordsRow>(
  `select name_records_hash.hash, name_record.name, owner, registered_height, expiry
   from name_records_hash join name_record on name_record.name = name_records_hash.name
   where name_records_hash.name > $1 order by name_records_hash.name limit $2`,
);

/** The live state of names: names, commitments, reverse records, then text records. Those that are dead are looked at, too, and count for the limit. */
export function createNameState(rules: NameRules): StateSource {
  return {
    kinds: [1, 2, 3, 4],
    readBehind: ({ reader }, height, kind, key, limit) =>
      (readers[kind] ?? readNames)(reader, height, key, limit, rules),
    tables: nameStateTables,
    listChanged: ({ reader }, height, undone) => listChangedNames(reader, height, undone, rules),
  };
}

/** Reads the rows of a kind that lie behind a key. */
type ReadRows = (
  reader: Reader,
  height: number,
  key: Uint8Array,
  limit: number,
  rules: NameRules,
) => Promise<RowsBehind>;

/** @param keyOf what rows of the statement are ordered by */
function readRows<Row>(
  statement: Statement<Row>,
  keyOf: (row: Row) => Uint8Array,
  toRow: ToStateRow<Row>,
): ReadRows {
  return async (reader, height, key, limit, rules) => {
    const found = await reader.all(statement, [key, limit]);
    const rows = found.map((row) => toRow(row, height, rules)).filter((row) => row !== undefined);
    const last = found.at(-1);
    return { rows, last: found.length < limit || last === undefined ? undefined : keyOf(last) };
  };
}

const readNames = readRows(NAMES_BEHIND, ({ name }) => name, toNameRow);

/** What reads the rows of a kind. */
const readers: Readonly<Record<number, ReadRows>> = {
  1: readNames,
  2: readRows(COMMITS_BEHIND, ({ commitment }) => commitment, toCommitRow),
  3: readRows(REVERSES_BEHIND, ({ owner_hash }) => owner_hash, toReverseRow),
  4: readRows(RECORDS_BEHIND, ({ name }) => name, toRecordsRow),
};
