import { equalBytes } from '@coinfront/protocol/bytes.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import { isUnspendable } from '@coinfront/protocol/script.ts';
import { parseTransaction, transactionSizes } from '@coinfront/protocol/transaction.ts';
import type { Reader } from '../db/database.ts';
import { sql } from '../db/statement.ts';
import { sha256 } from '../indexer/encoding/hashes.ts';
import { FEE_STEPS, type MempoolSummary } from '../indexer/mempool/mempool-summary.ts';
import type {
  FeeHistogramStep,
  HistoryEntry,
  MempoolArrival,
  ScriptStats,
  TxRecord,
  Utxo,
  WaitingTx,
} from './chain-view.ts';
import { listMempoolSpends } from './tx-store.ts';

type TxRow = {
  id: bigint;
  txid: Uint8Array;
  first_seen_ms: bigint;
  weight: bigint;
  fee: bigint;
  output_value: bigint;
  raw: Uint8Array;
};

const COLUMNS = 'id, txid, first_seen_ms, weight, fee, output_value, raw';
const bigints = true;
const FIND_TX = sql<TxRow>(`select ${COLUMNS} from mempool_tx where txid = $1`, { bigints });
const LIST_PARENTS = sql<TxRow>(
  `select ${COLUMNS} from mempool_tx
   where txid in (select s.txid from mempool_spend s where s.tx_id = $1) order by id limit $2`,
  { bigints },
);
const LIST_CHILDREN = sql<TxRow>(
  `select ${COLUMNS} from mempool_tx
   where id in (select s.tx_id from mempool_spend s where s.txid = $1) order by id limit $2`,
  { bigints },
);
const LIST_NEWEST = sql<TxRow>(`select ${COLUMNS} from mempool_tx order by id desc limit $1`, { bigints });
const LIST_TXIDS = sql<{ txid: Uint8Array }>('select txid from mempool_tx order by id limit $1');
const LIST_ARRIVALS = sql<{ id: number; txid: Uint8Array; first_seen_ms: number; raw: Uint8Array }>(
  'select id, txid, first_seen_ms, raw from mempool_tx where id > $1 order by id limit $2',
);
const LIST_IDS = sql<{ id: number }>('select id from mempool_tx where id = any($1)');
const LIST_CHANGES = sql<{
  funded_count: bigint;
  funded_sum: bigint;
  spent_count: bigint;
  spent_sum: bigint;
}>(
  `select funded_count, funded_sum, spent_count, spent_sum
   from mempool_script s join mempool_tx m on m.id = s.tx_id where s.script_hash = $1`,
  { bigints },
);
const LIST_HISTORY = sql<{ id: bigint; txid: Uint8Array; first_seen_ms: bigint; delta: bigint }>(
  `select m.id, m.txid, m.first_seen_ms, s.funded_sum - s.spent_sum as delta
   from mempool_script s join mempool_tx m on m.id = s.tx_id
   where s.script_hash = $1 and s.tx_id < $2 order by s.tx_id desc limit $3`,
  { bigints },
);
const LIST_FUNDING = sql<{ id: number; txid: Uint8Array; raw: Uint8Array }>(
  `select m.id, m.txid, m.raw from mempool_script s join mempool_tx m on m.id = s.tx_id
   where s.script_hash = $1 and s.tx_id >= $2 and s.funded_count > 0 order by s.tx_id limit $3`,
);
/** A parent is looked for by the outputs that a transaction spends, until one is found. */
const LIST_WAITING = sql<{ id: bigint; txid: Uint8Array; fee: bigint; on_mempool: bigint | number }>(
  `select m.id, m.txid, m.fee, case when exists (
     select 1 from mempool_spend s join mempool_tx p on p.txid = s.txid where s.tx_id = m.id
   ) then 1 else 0 end as on_mempool
   from mempool_script x join mempool_tx m on m.id = x.tx_id where x.script_hash = $1 limit $2`,
  { bigints },
);

const LIST_TOUCHED = sql<{ tx_id: number; script_hash: Uint8Array }>(
  'select tx_id, script_hash from mempool_script where tx_id > $1 and tx_id <= $2',
);
const GET_NEWEST_ID = sql<{ id: number | null }>('select max(id) as id from mempool_tx');
const COUNT_ARRIVALS = sql<{ count: number }>('select count(*) as count from mempool_tx where id > $1');

const FIND_FUNDING = sql<{ raw: Uint8Array }>(
  `select m.raw from mempool_script s join mempool_tx m on m.id = s.tx_id
   where s.script_hash = $1 and s.funded_count > 0 limit 1`,
);

/** Output numbers within the mempool: room for every output index that a transaction can have. */
const OUTPUTS_PER_TX = 2 ** 20;

/** A transaction of the mempool. */
export async function findMempoolTx(reader: Reader, txid: Uint8Array): Promise<TxRecord | undefined> {
  const row = await reader.get(FIND_TX, [txid]);
  return row && toRecord(row);
}

/** Those of the mempool whose outputs one of it spends. */
export async function listMempoolParents(reader: Reader, id: number, limit: number): Promise<TxRecord[]> {
  return (await reader.all(LIST_PARENTS, [id, limit])).map(toRecord);
}

/** Those of the mempool that spend outputs of a transaction. */
export async function listMempoolChildren(
  reader: Reader,
  txid: Uint8Array,
  limit: number,
): Promise<TxRecord[]> {
  return (await reader.all(LIST_CHILDREN, [txid, limit])).map(toRecord);
}

function toRecord(row: TxRow): TxRecord {
  return {
    id: Number(row.id),
    txid: row.txid,
    raw: row.raw,
    weight: Number(row.weight),
    fee: row.fee,
    status: { confirmed: false, firstSeenMs: Number(row.first_seen_ms) },
  };
}

/** The latest arrivals, newest first. */
export async function listNewestMempoolTxs(reader: Reader, limit: number) {
  return (await reader.all(LIST_NEWEST, [limit])).map((row) => ({
    txid: row.txid,
    fee: row.fee,
    vsize: transactionSizes(getValue(parseTransaction(row.raw))).vsize,
    value: row.output_value,
    firstSeenMs: Number(row.first_seen_ms),
  }));
}

/** Txids in the order of arrival. */
export async function listAllMempoolTxids(reader: Reader, limit: number): Promise<Uint8Array[]> {
  return (await reader.all(LIST_TXIDS, [limit])).map((row) => row.txid);
}

/** Transactions that came after one of them, oldest first. */
export async function listMempoolArrivals(
  reader: Reader,
  afterId: number,
  limit: number,
): Promise<MempoolArrival[]> {
  const rows = await reader.all(LIST_ARRIVALS, [afterId, limit]);
  return rows.map(({ id, txid, raw, first_seen_ms }) => ({ id, txid, raw, firstSeenMs: first_seen_ms }));
}

/** Which of these are in the mempool. */
export async function listPresentMempoolIds(reader: Reader, ids: readonly number[]): Promise<number[]> {
  return (await reader.lookup(LIST_IDS, ids)).map(({ id }) => id);
}

/** What the mempool does to a script, by its SHA-256. */
export async function sumMempoolChanges(reader: Reader, hash: Uint8Array): Promise<ScriptStats> {
  const stats = { txCount: 0, fundedCount: 0, fundedSum: 0n, spentCount: 0, spentSum: 0n };
  for (const row of await reader.all(LIST_CHANGES, [hash])) {
    stats.txCount++;
    stats.fundedCount += Number(row.funded_count);
    stats.fundedSum += row.funded_sum;
    stats.spentCount += Number(row.spent_count);
    stats.spentSum += row.spent_sum;
  }
  return stats;
}

/** The script with this SHA-256, when a transaction in the mempool pays it. */
export async function findMempoolScript(reader: Reader, hash: Uint8Array): Promise<Uint8Array | undefined> {
  const row = await reader.get(FIND_FUNDING, [hash]);
  if (!row) return undefined;
  const { outputs } = getValue(parseTransaction(row.raw));
  return outputs.find(({ script }) => equalBytes(sha256(script), hash))?.script;
}

/** Unconfirmed transactions of a script, newest first. */
export async function listMempoolChanges(
  reader: Reader,
  hash: Uint8Array,
  beforeId: number,
  limit: number,
): Promise<HistoryEntry[]> {
  return (await reader.all(LIST_HISTORY, [hash, beforeId, limit])).map((row) => ({
    txId: Number(row.id),
    txid: row.txid,
    delta: row.delta,
    status: { confirmed: false, firstSeenMs: Number(row.first_seen_ms) },
  }));
}

/** Transactions of the mempool that touch a script, in any order. */
export async function listWaitingTxs(reader: Reader, hash: Uint8Array, limit: number): Promise<WaitingTx[]> {
  return (await reader.all(LIST_WAITING, [hash, limit])).map((row) => ({
    id: Number(row.id),
    txid: row.txid,
    fee: row.fee,
    // A constant of a query is no bigint on PostgreSQL.
    hasUnconfirmedParent: Number(row.on_mempool) === 1,
  }));
}

/** Ids looked at by one question. */
const IDS_AT_ONCE = 5_000;

/** See {@link ChainView.visitMempoolTouches}. */
export async function visitTouches(
  reader: Reader,
  afterId: number | undefined,
  visit: (scriptHash: Uint8Array) => void,
): Promise<{ newestId: number; arrivals: number }> {
  const newest = (await reader.get(GET_NEWEST_ID))?.id ?? 0;
  const newestId = Math.max(afterId ?? 0, newest);
  if (afterId === undefined || newestId === afterId) return { newestId, arrivals: 0 };
  for (let from = afterId; from < newestId; from += IDS_AT_ONCE) {
    const rows = await reader.all(LIST_TOUCHED, [from, Math.min(newestId, from + IDS_AT_ONCE)]);
    for (const row of rows) visit(row.script_hash);
  }
  return { newestId, arrivals: Number((await reader.get(COUNT_ARRIVALS, [afterId]))!.count) };
}

/** Outputs made in the mempool that can be spent and are not spent in it, oldest first, above `afterOutputId`. */
export async function listMempoolOutputs(
  reader: Reader,
  hash: Uint8Array,
  afterOutputId: number,
  limit: number,
): Promise<Utxo[]> {
  const utxos: Utxo[] = [];
  let fromId = Math.max(0, Math.floor(afterOutputId / OUTPUTS_PER_TX));
  while (utxos.length < limit) {
    const rows = await reader.all(LIST_FUNDING, [hash, fromId, limit]);
    for (const { id, txid, raw } of rows) {
      const spends = await listMempoolSpends(reader, txid);
      for (const [vout, output] of getValue(parseTransaction(raw)).outputs.entries()) {
        const outputId = id * OUTPUTS_PER_TX + vout;
        if (outputId <= afterOutputId || spends.has(vout) || !equalBytes(sha256(output.script), hash))
          continue;
        if (isUnspendable(output.script)) return [];
        utxos.push({
          txid,
          vout,
          value: output.value,
          outputId,
          height: undefined,
          coinbase: false,
          pegOut: false,
          spentInMempool: false,
        });
      }
    }
    if (rows.length < limit) break;
    fromId = rows.at(-1)!.id + 1;
  }
  return utxos.slice(0, limit);
}

/** The steps of the histogram, highest rate first. */
export function describeHistogram({ steps }: MempoolSummary): FeeHistogramStep[] {
  return [...steps]
    .sort(([a], [b]) => b - a)
    .map(([step, { vsize, txs }]) => ({ feeRateMilliSatsPerVb: FEE_STEPS[step]!, vsize, txs }));
}
