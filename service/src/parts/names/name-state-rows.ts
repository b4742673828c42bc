import {
  commitStateRow,
  isLiveCommit,
  isLiveName,
  isLiveWord,
  nameStateRow,
  recordsStateRow,
  reverseStateRow,
} from '@coinfront/protocol/names/name-canonical.ts';
import type { NameRecord } from '@coinfront/protocol/names/name-rules.ts';
import { nameText } from '@coinfront/protocol/names/name-syntax.ts';
import type { NameRules } from '@coinfront/protocol/profile.ts';
import type { SourceRow } from '../../replicas/state-source.ts';

/** A name as its table has it. */
export type NameRow = { name: Uint8Array; owner: Uint8Array; registered_height: number; expiry: number };
export type CommitRow = { commitment: Uint8Array; height: number };
/** A reverse record, with the row of its name. */
export type ReverseRow = NameRow & { owner_hash: Uint8Array };
/** The hash of text records, with the row of their name. */
export type RecordsRow = NameRow & { hash: Uint8Array };

/** Makes the row of a state; undefined where it is dead behind the block of `height`. */
export type ToStateRow<Row> = (row: Row, height: number, rules: NameRules) => SourceRow | undefined;

export const toNameRow: ToStateRow<NameRow> = (row, height, rules) => {
  const record = toRecord(row);
  return isLiveName(record, height, rules) ? { row: nameStateRow(record), script: row.owner } : undefined;
};

export const toCommitRow: ToStateRow<CommitRow> = (commit, height, rules) =>
  isLiveCommit(commit, height, rules) ? { row: commitStateRow(commit) } : undefined;

export const toReverseRow: ToStateRow<ReverseRow> = (row, height, rules) => {
  const record = toRecord(row);
  return isLiveWord(record, height, rules) ? { row: reverseStateRow(record), script: row.owner } : undefined;
};

export const toRecordsRow: ToStateRow<RecordsRow> = (row, height, rules) => {
  const record = toRecord(row);
  return isLiveWord(record, height, rules)
    ? { row: recordsStateRow({ ...record, hash: row.hash }) }
    : undefined;
};

function toRecord({ name, owner, registered_height, expiry }: NameRow): NameRecord {
  return { name: nameText(name), owner, registeredHeight: registered_height, expiry };
}
