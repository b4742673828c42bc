import { defineTable } from '../db/table.ts';
import { runKinds } from './runs/run-kinds.ts';
import { runTable } from './runs/run-set.ts';
import { runFilterTable } from './runs/table-filters.ts';

/**
 * The layout of the chain index.
 *
 * Outputs are numbered through the whole chain in chain order. **A transaction's id is the number of its first output**,
 * so `id + vout` is an output's number, and the transaction of an output is the one with the greatest id not above its
 * number. Every number is a pure function of the chain, and a reorg that disconnects blocks gives the numbers back.
 * **A script is named by the first 128 bits of its SHA-256**, so nothing has to be looked up to write what a transaction does
 * to it.
 *
 * All that is found by a hash or by the number of an output lies in **runs** (`runs/`): what some blocks add to the four indexes,
 * sorted by key, in pages that are never changed. Small runs are merged into larger ones, so an entry is written once a
 * size class, and a look-up reads a page or two of each run that may have the key. On SQLite a run is a file beside the database
 * (`run-file-format.ts`), on PostgreSQL its pages are rows.
 *
 * Transactions lie in pages of neighbours (`tx-page.ts`), raw bytes included: on SQLite in a log that only grows, and the places of its
 * pages in the files of the runs (`tx-log/`), on PostgreSQL in a table. Value and script of each output lie once more in pages
 * by its number: what inputs spend is found there. They are in the files of the runs, on PostgreSQL in a table (`output-pages.ts`).
 *
 * Raise {@link LAYOUT_VERSION} with any change of meaning: the index is then rebuilt.
 */
export const LAYOUT_VERSION = 12;

/** The blocks of the best chain, each with totals of the chain up to it, so that no total is ever summed up. */
export const blockTable = defineTable({
  name: 'block',
  columns: {
    height: 'int',
    hash: 'bytes',
    header: 'bytes',
    auxpow: 'bytes',
    extension: 'bytes',
    time: 'int',
    median_time_past: 'int',
    chainwork: 'bytes',
    size: 'int',
    weight: 'int',
    tx_count: 'int',
    first_tx_id: 'int',
    fees: 'amount',
    coinbase_value: 'amount',
    total_size: 'int',
    total_weight: 'int',
    total_txs: 'int',
    total_inputs: 'int',
    total_outputs: 'int',
    total_utxos: 'int',
    total_issued: 'total',
    total_burned: 'total',
    total_coinbase_paid: 'total',
    total_fees: 'total',
    total_rates: 'text',
  },
  primaryKey: ['height'],
  indexes: ['hash'],
});

/** Transactions on PostgreSQL, many a row: see `tx-page.ts`. `position` is the index in the block of the first of them. */
export const txPageTable = defineTable({
  name: 'tx_page',
  columns: { first_id: 'int', height: 'int', position: 'int', data: 'bytes' },
  primaryKey: ['first_id'],
});

/** Value and script of outputs, many a row: see `output-pages.ts`. */
export const outputPageTable = defineTable({
  name: 'output_page',
  columns: { page: 'int', data: 'bytes' },
  primaryKey: ['page'],
});

/** Transactions that wait to be mined, in the order in which they were seen. */
export const mempoolTxTable = defineTable({
  name: 'mempool_tx',
  columns: {
    id: 'int',
    txid: 'bytes',
    first_seen_ms: 'int',
    weight: 'int',
    fee: 'amount',
    output_value: 'amount',
    raw: 'bytes',
    /** Its fee rate below zero, so that the greatest comes first: -{@link milliRateOf}. */
    minus_rate: 'int',
  },
  primaryKey: ['id'],
  indexes: ['txid', ['minus_rate', 'id']],
});

/** Outputs, confirmed or not, that a transaction in the mempool spends; what was mined lately may still have rows. */
export const mempoolSpendTable = defineTable({
  name: 'mempool_spend',
  columns: { txid: 'bytes', vout: 'int', tx_id: 'int', vin: 'int' },
  primaryKey: ['txid', 'vout'],
  indexes: ['tx_id'],
});

/** What a transaction in the mempool does to a script; scripts by their whole SHA-256. What was mined lately may still have rows. */
export const mempoolScriptTable = defineTable({
  name: 'mempool_script',
  columns: {
    script_hash: 'bytes',
    tx_id: 'int',
    funded_count: 'int',
    funded_sum: 'amount',
    spent_count: 'int',
    spent_sum: 'amount',
  },
  primaryKey: ['script_hash', 'tx_id'],
  indexes: ['tx_id'],
});

/** Earlier rows of parts' tables, for undoing a block: one pack a block and table (undo-rows.ts). */
export const undoTable = defineTable({
  name: 'undo',
  columns: { height: 'int', table_name: 'text', rows: 'bytes' },
  primaryKey: ['height', 'table_name'],
});

/** The tables of the chain index; parts add their own. */
export const chainTables = [
  blockTable,
  runTable,
  mempoolTxTable,
  mempoolSpendTable,
  mempoolScriptTable,
  undoTable,
] as const;

/** What PostgreSQL has in tables beside these, and SQLite in files. */
export const runPageTables = [
  txPageTable,
  outputPageTable,
  runFilterTable,
  ...runKinds.map(({ table }) => table),
] as const;
