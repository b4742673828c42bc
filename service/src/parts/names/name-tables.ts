/** The tables that the registry derives from blocks. Texts of names are bytes, so that both engines sort them alike. */

import { defineTable } from '../../db/table.ts';
import { defineHashLog } from '../../indexer/parts/hash-log.ts';

/** Every name ever registered. */
export const nameTable = {
  kind: 'state',
  table: defineTable({
    name: 'name_record',
    columns: {
      name: 'bytes',
      owner: 'bytes',
      /** SHA-256 of the owner's script: a script may be longer than an index takes. */
      owner_hash: 'bytes',
      registered_height: 'int',
      expiry: 'int',
      /** Whether the owner registered it; a name that was transferred came without its owner having asked for it. */
      is_registrant: 'int',
    },
    primaryKey: ['name'],
    indexes: [
      ['owner_hash', 'name'],
      ['expiry', 'name'],
    ],
  }),
} as const;

/**
 * Every commitment that was not revealed. Those that are too old stay: each took a transaction that is larger than its
 * row, and a late reveal is told `commit_expired`, as the rules have it, not `commit_missing`.
 */
export const commitTable = {
  kind: 'state',
  table: defineTable({
    name: 'name_commit',
    columns: { commitment: 'bytes', height: 'int' },
    primaryKey: ['commitment'],
  }),
} as const;

/** With which name the owner of a script wants it to be shown; the name's record has the script. */
export const reverseTable = {
  kind: 'state',
  table: defineTable({
    name: 'name_reverse',
    columns: { owner_hash: 'bytes', name: 'bytes' },
    primaryKey: ['owner_hash'],
  }),
} as const;

/** SHA-256 of the document of a name's text records. */
export const recordsTable = {
  kind: 'state',
  table: defineTable({
    name: 'name_records_hash',
    columns: { name: 'bytes', hash: 'bytes' },
    primaryKey: ['name'],
  }),
} as const;

/** Every operation, valid or not, in chain order. */
export const operationTable = {
  kind: 'log',
  table: defineTable({
    name: 'name_operation',
    columns: {
      height: 'int',
      position: 'int',
      /** Null for a payload that could not be decoded. */
      kind: 'text?',
      name: 'bytes?',
      /** Null for a valid operation. */
      reason: 'text?',
      sender: 'bytes?',
      commitment: 'bytes?',
      /** Of a valid transfer: the new owner. */
      owner: 'bytes?',
      periods: 'int?',
      /** Of a valid register, transfer or renew, and of records that were set: the expiry from then on. */
      expiry: 'int?',
      /** Paid to the fee script by a valid register or renew. */
      paid: 'total?',
    },
    primaryKey: ['height', 'position'],
    indexes: [['name', 'height', 'position']],
  }),
} as const;

/** How many names expire at a height. */
export const expiringTable = {
  kind: 'state',
  table: defineTable({
    name: 'name_expiring',
    columns: { height: 'int', names: 'int' },
    primaryKey: ['height'],
  }),
} as const;

/** Totals: one row. */
export const nameCountTable = {
  kind: 'state',
  table: defineTable({
    name: 'name_count',
    columns: {
      id: 'int',
      names: 'int',
      registered: 'int',
      valid: 'int',
      invalid: 'int',
      paid: 'total',
      /** Rows of the counts over time. */
      changes: 'int',
    },
    primaryKey: ['id'],
  }),
} as const;

/** The numbers of names after each block that changed one of them, numbered from 0. */
export const nameCountLog = {
  kind: 'log',
  table: defineTable({
    name: 'name_count_log',
    columns: { height: 'int', number: 'int', names: 'int', registered: 'int' },
    primaryKey: ['height'],
    indexes: ['number'],
  }),
} as const;

/** The hash chain of names. */
export const nameHashes = defineHashLog('name');
