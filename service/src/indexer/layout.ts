import { defineTable } from '../db/table.ts';

/**
 * The layout of the chain index.
 *
 * Outputs are numbered through the whole chain in chain order. **A transaction's id is the number of its first output**,
 * so `id + vout` is an output's number, and the transaction of an output is the one with the greatest id not above its
 * number. **A script's id is the number of the first output that pays it**, so its bytes need no table of their own.
 * Every number is a pure function of the chain, and a reorg that disconnects blocks gives the numbers back.
 *
 * Most scripts are paid once. Such a script has no rows at all: its totals, history and unspent output follow from its
 * one output and from whether that is spent. From the second payment on it has a row in `script`, and rows in `history`
 * and `utxo`.
 *
 * Rows are few and wide: what is appended or looked up at random lies in pages of neighbours (`tx-page.ts`,
 * `key-page.ts`, `spend-page.ts`), each a third or half of a page of the database.
 *
 * Raise {@link LAYOUT_VERSION} with any change of meaning: the index is then rebuilt.
 */
export const LAYOUT_VERSION = 4;

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
    total_txs: 'int',
    total_inputs: 'int',
    total_outputs: 'int',
    total_scripts: 'int',
    total_utxos: 'int',
    total_issued: 'total',
    total_burned: 'total',
    total_coinbase_paid: 'total',
    total_fees: 'total',
  },
  primaryKey: ['height'],
  indexes: ['hash'],
});

/** Transactions, many a row: see `tx-page.ts`. `position` is the index in the block of the first of them. */
export const txPageTable = defineTable({
  name: 'tx_page',
  columns: { first_id: 'int', height: 'int', position: 'int', data: 'bytes' },
  primaryKey: ['first_id'],
});

/** Finds transactions by txid: see `key-page.ts`. */
export const txKeyTable = defineTable({
  name: 'tx_key',
  columns: { page: 'int', data: 'bytes' },
  primaryKey: ['page'],
  isRewritten: true,
});

/** Finds scripts by their SHA-256: see `key-page.ts`. */
export const scriptKeyTable = defineTable({
  name: 'script_key',
  columns: { page: 'int', data: 'bytes' },
  primaryKey: ['page'],
  isRewritten: true,
});

/** Which transaction spent an output: see `spend-page.ts`. */
export const spendTable = defineTable({
  name: 'spend',
  columns: { page: 'int', data: 'bytes' },
  primaryKey: ['page'],
  isRewritten: true,
});

/** Totals of the scripts that were paid more than once. */
export const scriptTable = defineTable({
  name: 'script',
  columns: {
    id: 'int',
    tx_count: 'int',
    funded_count: 'int',
    spent_count: 'int',
    funded_sum: 'total',
    spent_sum: 'total',
  },
  primaryKey: ['id'],
});

/** Which transaction touched which of these scripts, and by how much. */
export const historyTable = defineTable({
  name: 'history',
  columns: { script_id: 'int', tx_id: 'int', delta: 'amount' },
  primaryKey: ['script_id', 'tx_id'],
});

/** Outputs of these scripts that are unspent and can be spent. */
export const utxoTable = defineTable({
  name: 'utxo',
  columns: { script_id: 'int', output_id: 'int', value: 'amount' },
  primaryKey: ['script_id', 'output_id'],
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
  },
  primaryKey: ['id'],
  indexes: ['txid'],
});

/** Outputs, confirmed or not, that a transaction in the mempool spends. */
export const mempoolSpendTable = defineTable({
  name: 'mempool_spend',
  columns: { txid: 'bytes', vout: 'int', tx_id: 'int', vin: 'int' },
  primaryKey: ['txid', 'vout'],
  indexes: ['tx_id'],
});

/** What a transaction in the mempool does to a script; scripts by their whole SHA-256. */
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

/** All tables of the chain index; parts add their own. */
export const chainTables = [
  blockTable,
  txPageTable,
  txKeyTable,
  scriptKeyTable,
  spendTable,
  scriptTable,
  historyTable,
  utxoTable,
  mempoolTxTable,
  mempoolSpendTable,
  mempoolScriptTable,
  undoTable,
] as const;
