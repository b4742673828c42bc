import type { Reader } from '../db/database.ts';
import { sql } from '../db/statement.ts';
import { sha256 } from '../indexer/encoding/hashes.ts';
import type { RunSet } from '../indexer/runs/run-set.ts';
import { findStoredTxs } from '../indexer/transactions/tx-store.ts';
import type { CoinbasePayout } from './chain-view.ts';
import { HIGH_VALUE, payeeCounts } from './payout-counts.ts';

type PayoutRow = {
  height: bigint;
  vout: bigint;
  value: bigint;
  hash: Uint8Array;
  time: bigint;
  first_tx_id: bigint;
};

const SELECT = `select p.height, p.vout, p.value, b.hash, b.time, b.first_tx_id
  from coinbase_payout p join block b on b.height = p.height where p.script_id = $1`;
const bigints = true;
const LIST = sql<PayoutRow>(
  `${SELECT} and p.height >= $2 and p.height < $3 order by p.height desc, p.vout limit $4`,
  { bigints },
);
const LIST_REST = sql<PayoutRow>(`${SELECT} and p.height = $2 and p.vout > $3 order by p.vout`, { bigints });
const FIND_ID = sql<{ script_id: number }>('select script_id from coinbase_payee where script_hash = $1');
const LIST_COUNTS = sql<{ what: bigint; amount: bigint }>(
  'select what, amount from coinbase_payee_count where script_id = $1',
  { bigints },
);
const FIND_FIRST = sql<{ height: number }>(
  'select height from coinbase_payout where script_id = $1 order by height limit 1',
);
const FIND_LAST = sql<{ height: number }>(
  'select height from coinbase_payout where script_id = $1 order by height desc limit 1',
);

/**
 * Payouts by coinbases of `fromHeight <= height < beforeHeight`, newest first. A block's payouts stay together, so there
 * may be a few more than `limit`.
 */
export async function listPayouts(
  reader: Reader,
  runs: RunSet,
  script: Uint8Array,
  fromHeight: number,
  beforeHeight: number,
  limit: number,
): Promise<CoinbasePayout[]> {
  const id = await findPayee(reader, script);
  if (id === undefined) return [];
  const rows = await reader.all(LIST, [id, fromHeight, beforeHeight, limit]);
  const last = rows.at(-1);
  if (last && rows.length === limit) {
    rows.push(...(await reader.all(LIST_REST, [id, Number(last.height), Number(last.vout)])));
  }
  const coinbases = await findStoredTxs(
    reader,
    runs,
    rows.map((row) => Number(row.first_tx_id)),
  );
  return rows.map((row) => ({
    height: Number(row.height),
    hash: row.hash,
    time: Number(row.time),
    txid: coinbases.get(Number(row.first_tx_id))!.txid,
    vout: Number(row.vout),
    value: row.value,
  }));
}

/** Totals of all payouts to a script. */
export async function getPayoutTotals(reader: Reader, script: Uint8Array) {
  const id = await findPayee(reader, script);
  if (id === undefined) return { blocks: 0, value: 0n, firstHeight: undefined, lastHeight: undefined };
  const rows = await reader.all(LIST_COUNTS, [id]);
  const count = (wanted: number): bigint => rows.find(({ what }) => Number(what) === wanted)?.amount ?? 0n;
  return {
    blocks: Number(count(payeeCounts.blocks)),
    value: count(payeeCounts.highValue) * HIGH_VALUE + count(payeeCounts.value),
    firstHeight: (await reader.get(FIND_FIRST, [id]))?.height,
    lastHeight: (await reader.get(FIND_LAST, [id]))?.height,
  };
}

async function findPayee(reader: Reader, script: Uint8Array): Promise<number | undefined> {
  return (await reader.get(FIND_ID, [sha256(script)]))?.script_id;
}
