/** The tables that tokens are derived into. Ids and hashes are bytes, so that both engines sort them alike. */

import { defineTable } from '../../db/table.ts';
import { defineHashLog } from '../../indexer/hash-log.ts';

/** Every token; `number` counts them in chain order from 0. `events` are its valid operations. */
export const tokenTable = {
  kind: 'state',
  table: defineTable({
    name: 'token',
    columns: {
      token_id: 'bytes',
      number: 'int',
      issuer: 'bytes',
      issuer_hash: 'bytes',
      created_height: 'int',
      created_position: 'int',
      ticker: 'text',
      decimals: 'int',
      is_mintable: 'int',
      premine: 'amount',
      cap: 'amount?',
      metadata_hash: 'bytes?',
      is_minting_open: 'int',
      minted: 'amount',
      burned: 'amount',
      holders: 'int',
      events: 'int',
      transfers: 'int',
    },
    primaryKey: ['token_id'],
    indexes: [
      'number',
      ['holders', 'number'],
      ['ticker', 'number'],
      ['ticker', 'holders', 'number'],
      ['issuer_hash', 'number'],
      ['issuer_hash', 'token_id'],
    ],
  }),
} as const;

/** Positive balances; `script_hash` is the SHA-256 of the holder's script. In the order of the state hash. */
export const balanceTable = {
  kind: 'state',
  table: defineTable({
    name: 'token_balance',
    columns: { token_id: 'bytes', script_hash: 'bytes', amount: 'amount', script: 'bytes' },
    primaryKey: ['token_id', 'script_hash'],
    indexes: [
      ['token_id', 'amount', 'script_hash'],
      ['script_hash', 'token_id'],
    ],
  }),
} as const;

/**
 * Every transaction with a payload of tokens, valid or not: who sent it and why it changed nothing. What it says is read
 * from the transaction.
 */
export const operationTable = {
  kind: 'log',
  table: defineTable({
    name: 'token_operation',
    columns: {
      height: 'int',
      position: 'int',
      is_valid: 'int',
      token_id: 'bytes?',
      sender: 'bytes?',
      reason: 'text?',
    },
    primaryKey: ['height', 'position'],
    indexes: [['token_id', 'is_valid', 'height', 'position']],
  }),
} as const;

/** Who took part in an operation: its sender, and the recipients of a valid one; each script once. */
export const activityTable = {
  kind: 'log',
  table: defineTable({
    name: 'token_activity',
    columns: { height: 'int', position: 'int', n: 'int', is_valid: 'int', script_hash: 'bytes' },
    primaryKey: ['height', 'position', 'n'],
    indexes: [['script_hash', 'is_valid', 'height', 'position']],
  }),
} as const;

/** Totals of all tokens: one row. `holders` are the positive balances. */
export const tokenCountTable = {
  kind: 'state',
  table: defineTable({
    name: 'token_count',
    columns: {
      id: 'int',
      tokens: 'int',
      holders: 'int',
      creates: 'int',
      mints: 'int',
      transfers: 'int',
      burns: 'int',
      invalid: 'int',
    },
    primaryKey: ['id'],
  }),
} as const;

/** The hash chain of tokens. */
export const tokenHashes = defineHashLog('token');
