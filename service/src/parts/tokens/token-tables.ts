/**
 * The tables that tokens are derived into. Rows refer to a token by its number, to a script by its own ({@link scriptTable})
 * and to a transaction by its id: keys of whole hashes took most of the time of indexing.
 */

import { defineTable } from '../../db/table.ts';
import { defineHashLog } from '../../indexer/parts/hash-log.ts';

/**
 * Every token; `number` counts them in chain order from 0. `events` are its valid operations, `supply_changes` its rows of
 * {@link supplyTable}.
 */
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
      supply_changes: 'int',
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

/** The id of each token by its number. */
export const tokenNumberTable = {
  kind: 'state',
  table: defineTable({
    name: 'token_by_number',
    columns: { number: 'int', token_id: 'bytes' },
    primaryKey: ['number'],
  }),
} as const;

/** What a script had of a token behind each block that moved its balance; zero, too. */
export const balanceLog = {
  kind: 'past',
  table: defineTable({
    name: 'token_balance_log',
    columns: { script_id: 'int', token_number: 'int', height: 'int', amount: 'amount' },
    primaryKey: ['script_id', 'token_number', 'height'],
  }),
} as const;

/** Positive balances. */
export const balanceTable = {
  kind: 'amounts',
  table: defineTable({
    name: 'token_balance',
    columns: { script_id: 'int', token_number: 'int', amount: 'amount' },
    primaryKey: ['script_id', 'token_number'],
    indexes: [['token_number', 'amount', 'script_id']],
  }),
  past: balanceLog.table,
} as const;

/**
 * Every script that took part in an operation, valid or not, with its number: that of the first output by which an operation
 * named it. A sender is named by the output that input 0 spends, a recipient by the first output of the transaction that
 * pays it. An output pays one script, so no two have the same number, and the chain tells the script of a number.
 */
export const scriptTable = {
  kind: 'state',
  table: defineTable({
    name: 'token_script',
    columns: { script_hash: 'bytes', script_id: 'int' },
    primaryKey: ['script_hash'],
    // By which the balances of a token are put in the order in which they are hashed.
    indexes: ['script_id'],
  }),
} as const;

/**
 * The valid operations of each block in the order of the chain, but for sweeps: the transaction of the first, and all of them as
 * `operation-packs.ts` packs them. What they say is read from their transactions.
 */
export const eventTable = {
  kind: 'log',
  table: defineTable({
    name: 'token_event',
    columns: { tx_id: 'int', operations: 'bytes' },
    primaryKey: ['tx_id'],
  }),
} as const;

/** The valid operations of each block on each token, sweeps, too: the transaction of the first, and those of the others, packed. */
export const tokenEventTable = {
  kind: 'entries',
  table: defineTable({
    name: 'token_event_by_token',
    columns: { token_number: 'int', tx_id: 'int', further: 'bytes' },
    primaryKey: ['token_number', 'tx_id'],
  }),
} as const;

/** The valid sweeps: each token that one moved, and how much, which its transaction does not say. */
export const sweptTable = {
  kind: 'log',
  table: defineTable({
    name: 'token_swept',
    columns: { tx_id: 'int', token_number: 'int', amount: 'amount' },
    primaryKey: ['tx_id', 'token_number'],
  }),
} as const;

/** A token behind each block that changed its supply, its number of holders or who may mint; `number` counts these from 0. */
export const supplyTable = {
  kind: 'entries',
  table: defineTable({
    name: 'token_supply',
    columns: {
      token_number: 'int',
      number: 'int',
      height: 'int',
      minted: 'amount',
      burned: 'amount',
      holders: 'int',
      is_minting_open: 'int',
    },
    primaryKey: ['token_number', 'number'],
  }),
} as const;

/** Who took part in a valid operation, its sender and its recipients: each script once. Of a sweep the token is the first that it moved. */
export const activityTable = {
  kind: 'entries',
  table: defineTable({
    name: 'token_activity',
    columns: { script_id: 'int', tx_id: 'int', token_number: 'int' },
    primaryKey: ['script_id', 'tx_id'],
  }),
} as const;

/**
 * Transactions with a payload of tokens that changed nothing, and why. They name a token by its number, one that does not
 * exist by its id; `sender_id` is the script that input 0 spends.
 */
export const refusalTable = {
  kind: 'log',
  table: defineTable({
    name: 'token_refusal',
    columns: { tx_id: 'int', token_number: 'int?', token_id: 'bytes?', sender_id: 'int?', reason: 'text' },
    primaryKey: ['tx_id'],
    indexes: [
      ['token_number', 'tx_id'],
      ['token_id', 'tx_id'],
      ['sender_id', 'tx_id'],
    ],
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
      sweeps: 'int',
      invalid: 'int',
    },
    primaryKey: ['id'],
  }),
} as const;

/** The hash chain of tokens. */
export const tokenHashes = defineHashLog('token');
