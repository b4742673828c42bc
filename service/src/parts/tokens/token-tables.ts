/**
 * The tables that tokens are derived into. Rows refer to a token by its number, to a script by that of the chain index and
 * to a transaction by its id: keys of whole hashes took most of the time of indexing.
 */

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
    ],
  }),
} as const;

/** Positive balances; `script_hash` is the SHA-256 of the holder's script, for the state hash. */
export const balanceTable = {
  kind: 'state',
  table: defineTable({
    name: 'token_balance',
    columns: { script_id: 'int', token_number: 'int', amount: 'amount', script_hash: 'bytes' },
    primaryKey: ['script_id', 'token_number'],
    indexes: [['token_number', 'amount', 'script_id']],
  }),
} as const;

/**
 * Every transaction with a payload of tokens, valid or not, and why it changed nothing. What it says is read from the
 * transaction. `token_id` is there for one that names a token which does not exist.
 */
export const operationTable = {
  kind: 'log',
  table: defineTable({
    name: 'token_operation',
    columns: { tx_id: 'int', is_valid: 'int', token_number: 'int?', token_id: 'bytes?', reason: 'text?' },
    primaryKey: ['tx_id'],
    indexes: [['token_number', 'is_valid', 'tx_id']],
  }),
} as const;

/** Who took part in an operation: its sender, and the recipients of a valid one; each script once. */
export const activityTable = {
  kind: 'entries',
  table: defineTable({
    name: 'token_activity',
    columns: { script_id: 'int', is_valid: 'int', tx_id: 'int' },
    primaryKey: ['script_id', 'is_valid', 'tx_id'],
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
