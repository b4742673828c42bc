/** Reads what the index derives of names, in the snapshot of a view. */

import type { CommitRecord, NameRecord } from '@coinfront/protocol/names/name-rules.ts';
import { nameBytes, nameText } from '@coinfront/protocol/names/name-syntax.ts';
import type { Reader } from '../../db/database.ts';
import { sql } from '../../db/statement.ts';
import { sha256 } from '../../indexer/encoding/hashes.ts';

/** A name's record, and whether its owner registered it. */
export type StoredName = NameRecord & { readonly isRegistrant: boolean };

/** An operation as it is kept. */
export type OperationRow = {
  height: number;
  position: number;
  kind: string | null;
  name: Uint8Array | null;
  reason: string | null;
  sender: Uint8Array | null;
  commitment: Uint8Array | null;
  owner: Uint8Array | null;
  periods: number | null;
  expiry: number | null;
  paid: string | null;
};

/** Totals of the registry. */
export type NameTotals = { names: number; registered: number; valid: number; invalid: number; paid: string };

/** The numbers of names after a block. */
export type NameCount = { number: number; height: number; names: number; registered: number };

type NameRow = {
  name: Uint8Array;
  owner: Uint8Array;
  registered_height: number;
  expiry: number;
  is_registrant: number;
};

const RECORD = 'name, owner, registered_height, expiry, is_registrant';
const OPERATION = 'height, position, kind, name, reason, sender, commitment, owner, periods, expiry, paid';

const FIND_NAME = sql<NameRow>(`select ${RECORD} from name_record where name = $1`);
const FIND_REVERSE = sql<NameRow>(
  `select ${RECORD} from name_record where name = (select name from name_reverse where owner_hash = $1)`,
);
const FIND_RECORDS = sql<{ hash: Uint8Array }>('select hash from name_records_hash where name = $1');
const LIST_OWNED = sql<NameRow>(
  `select ${RECORD} from name_record where owner_hash = $1 and name > $2 order by name limit $3`,
);
const LIST_STARTING = sql<NameRow>(
  `select ${RECORD} from name_record where name >= $1 and name < $2 order by name limit $3`,
);
const LIST_EXPIRIES = sql<{ name: Uint8Array; expiry: number }>(
  'select name, expiry from name_record where name >= $1 and name < $2 order by name limit $3',
);
const LIST_BETWEEN = sql<NameRow>(
  `select ${RECORD} from name_record
   where name >= $1 and name <= $2 and expiry between $3 and $4 order by name limit $5`,
);
const LIST_EXPIRING = sql<NameRow>(
  `select ${RECORD} from name_record
   where (expiry, name) > ($1, $2) and expiry <= $3 order by expiry, name limit $4`,
);
const FIND_COMMIT = sql<{ height: number }>('select height from name_commit where commitment = $1');
const LIST_OPERATIONS = sql<OperationRow>(
  `select ${OPERATION} from name_operation
   where (height, position) < ($1, $2) order by height desc, position desc limit $3`,
);
const LIST_HISTORY = sql<OperationRow>(
  `select ${OPERATION} from name_operation
   where name = $1 and (height, position) < ($2, $3) order by height desc, position desc limit $4`,
);
const LIST_VALID = sql<OperationRow>(
  `select ${OPERATION} from (
     select ${OPERATION} from name_operation
     where name = $1 and (height, position) < ($2, $3) order by height desc, position desc limit $4
   ) as looked
   where reason is null order by height desc, position desc limit $5`,
);
const FIND_NTH = sql<{ height: number; position: number }>(
  `select height, position from name_operation
   where name = $1 and (height, position) < ($2, $3) order by height desc, position desc limit 1 offset $4`,
);
const GET_TOTALS = sql<NameTotals>(
  'select names, registered, valid, invalid, paid from name_count where id = 0',
);

const COUNT_CHANGES = sql<{ changes: number }>('select changes from name_count where id = 0');
const COUNT = 'number, height, names, registered';
const FIND_COUNT = sql<NameCount>(`select ${COUNT} from name_count_log where number = $1`);
const LIST_COUNTS = sql<NameCount>(`select ${COUNT} from name_count_log where number = any($1)`);

/** Place of an operation. */
export type OperationPlace = readonly [height: number, position: number];

/** Above every operation. */
const END: OperationPlace = [Number.MAX_SAFE_INTEGER, 0];

/** Greater than any byte of a name. */
const ABOVE_EVERY_BYTE = 0xff;
const ABOVE_EVERY_NAME = Uint8Array.of(ABOVE_EVERY_BYTE);

/** Expiries, both ends among them. */
export type ExpiryRange = { readonly from: number; readonly to: number };

/** Where a list that is ordered by expiry goes on: behind this name. */
export type ExpiryPlace = { readonly expiry: number; readonly name: string };

/** The record of a name that keeps the syntax. */
export async function findName(reader: Reader, name: string): Promise<StoredName | undefined> {
  const row = await reader.get(FIND_NAME, [nameBytes(name)]);
  return row && toStoredName(row);
}

/** The record of the name that an owner wants to be shown with; it counts while the name resolves. */
export async function findReverse(reader: Reader, owner: Uint8Array): Promise<StoredName | undefined> {
  const row = await reader.get(FIND_REVERSE, [sha256(owner)]);
  return row && toStoredName(row);
}

/** The hash of a name's text records; they count while the name resolves. */
export async function findRecordsHash(reader: Reader, name: string): Promise<Uint8Array | undefined> {
  return (await reader.get(FIND_RECORDS, [nameBytes(name)]))?.hash;
}

/** Names of an owner in their order, after one when given. */
export async function listNamesOf(
  reader: Reader,
  owner: Uint8Array,
  after: string | undefined,
  limit: number,
): Promise<StoredName[]> {
  const rows = await reader.all(LIST_OWNED, [sha256(owner), nameBytes(after ?? ''), limit]);
  return rows.map(toStoredName);
}

/** Names that begin with a text of ASCII, in their order. */
export async function listNamesStarting(reader: Reader, start: string, limit: number): Promise<StoredName[]> {
  const low = nameBytes(start);
  const rows = await reader.all(LIST_STARTING, [low, Uint8Array.of(...low, ABOVE_EVERY_BYTE), limit]);
  return rows.map(toStoredName);
}

/** Which names of a list are asked for. */
export type NameFilter = {
  /** What they begin with. */
  start: string;
  /** The name behind which the page begins. */
  after: string | undefined;
  /** Undefined takes all. */
  expiries: ExpiryRange | undefined;
};

/** Names in their order, of `mostLooked` at most that are looked at; `next` is where it goes on, undefined where nothing follows. */
export async function listNames(
  reader: Reader,
  { start, after, expiries }: NameFilter,
  limit: number,
  mostLooked: number,
): Promise<{ names: StoredName[]; next: string | undefined }> {
  // The least that is greater than a name is the name with a zero behind it.
  const low = after === undefined ? nameBytes(start) : Uint8Array.of(...nameBytes(after), 0);
  const high = Uint8Array.of(...nameBytes(start), ABOVE_EVERY_BYTE);
  const { from, to } = expiries ?? { from: 0, to: Number.MAX_SAFE_INTEGER };
  const most = expiries === undefined ? limit + 1 : mostLooked;
  // Owners may be long scripts: they are read only of the names that are shown.
  const looked = await reader.all(LIST_EXPIRIES, [low, high, most]);
  const found = looked.filter(({ expiry }) => expiry >= from && expiry <= to);
  const last = found.slice(0, limit).at(-1);
  const rows = last && (await reader.all(LIST_BETWEEN, [low, last.name, from, to, limit]));
  const next = found.length > limit ? last : looked.length === most ? looked.at(-1) : undefined;
  return { names: (rows ?? []).map(toStoredName), next: next && nameText(next.name) };
}

/** Names by their expiry and then by name, behind a place when given. */
export async function listExpiringNames(
  reader: Reader,
  { from, to }: ExpiryRange,
  after: ExpiryPlace | undefined,
  limit: number,
): Promise<StoredName[]> {
  const isWithin = after !== undefined && after.expiry >= from;
  const place = isWithin ? [after.expiry, nameBytes(after.name)] : [from - 1, ABOVE_EVERY_NAME];
  const rows = await reader.all(LIST_EXPIRING, [...place, to, limit]);
  return rows.map(toStoredName);
}

/** A commitment that is on record. */
export async function findCommit(reader: Reader, commitment: Uint8Array): Promise<CommitRecord | undefined> {
  const row = await reader.get(FIND_COMMIT, [commitment]);
  return row && { commitment, height: row.height };
}

/** Operations newest first, of one name when given, below `before` when given. */
export async function listOperations(
  reader: Reader,
  name: string | undefined,
  before: OperationPlace = END,
  limit: number,
): Promise<OperationRow[]> {
  if (name === undefined) return await reader.all(LIST_OPERATIONS, [...before, limit]);
  return await reader.all(LIST_HISTORY, [nameBytes(name), ...before, limit]);
}

/** Valid operations on a name, newest first, among so many at most that are looked at; `next` is where it goes on, null where nothing follows. */
export async function listValidOperations(
  reader: Reader,
  name: string,
  before: OperationPlace = END,
  limit: number,
  mostLooked: number,
): Promise<{ operations: OperationRow[]; next: OperationPlace | null }> {
  const from = [nameBytes(name), ...before] as const;
  const found = await reader.all(LIST_VALID, [...from, mostLooked, limit + 1]);
  const operations = found.slice(0, limit);
  const last =
    found.length > limit ? operations.at(-1) : await reader.get(FIND_NTH, [...from, mostLooked - 1]);
  return { operations, next: last ? [last.height, last.position] : null };
}

/** Totals of the registry; zeros before its first operation. */
export async function getNameTotals(reader: Reader): Promise<NameTotals> {
  return (await reader.get(GET_TOTALS)) ?? { names: 0, registered: 0, valid: 0, invalid: 0, paid: '0' };
}

/** How many blocks changed the numbers of names. */
export async function countNameChanges(reader: Reader): Promise<number> {
  return (await reader.get(COUNT_CHANGES))?.changes ?? 0;
}

/** The change of a number, from 0; undefined where there is none. */
export async function findNameCount(reader: Reader, number: number): Promise<NameCount | undefined> {
  return await reader.get(FIND_COUNT, [number]);
}

/** Changes by their numbers, in the order of the chain. */
export async function listNameCounts(reader: Reader, numbers: readonly number[]): Promise<NameCount[]> {
  return (await reader.lookup(LIST_COUNTS, numbers)).sort((a, b) => a.number - b.number);
}

function toStoredName(row: NameRow): StoredName {
  return {
    name: nameText(row.name),
    owner: row.owner,
    registeredHeight: row.registered_height,
    expiry: row.expiry,
    isRegistrant: row.is_registrant === 1,
  };
}
