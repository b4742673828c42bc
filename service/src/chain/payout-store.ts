import type { Reader } from '../db/database.ts';
import { sql } from '../db/statement.ts';
import { sha256 } from '../indexer/encoding/hashes.ts';
import type { RunSet } from '../indexer/runs/run-set.ts';
import { findStoredTxs } from '../indexer/transactions/tx-store.ts';
import type { CoinbasePayout } from './chain-view.ts';

type PayoutRow = {
  height: bigint;
  vout: bigint;
  value: bigint;
  hash: Uint8Array;
  time: bigint;
  first_tx_id: bigint;
};

const SELECT = `select p.height, p.vout, p.value, b.hash, b.time, b.first_tx_id
  from coinbase_payout p join block b on b.height = p.height where p.script_hash = $1`;
const bigints = true;
const LIST = sql<PayoutRow>(
  `${SELECT} and p.height >= $2 and p.height < $3 order by p.height desc, p.vout limit $4`,
  { bigints },
);
const LIST_REST = sql<PayoutRow>(`${SELECT} and p.height = $2 and p.vout > $3 order by p.vout`, { bigints });
const GET_TOTALS = sql<{ blocks: number; value: string; first_height: number; last_height: number }>(
  'select blocks, value, first_height, last_height from coinbase_payee where script_hash = $1',
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
  const scriptHash = sha256(script);
  const rows = await reader.all(LIST, [scriptHash, fromHeight, beforeHeight, limit]);
  const last = rows.at(-1);
  if (last && rows.length === limit) {
    rows.push(...(await reader.all(LIST_REST, [scriptHash, Number(last.height), Number(last.vout)])));
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
  const row = await reader.get(GET_TOTALS, [sha256(script)]);
  return {
    blocks: row?.blocks ?? 0,
    value: BigInt(row?.value ?? 0),
    firstHeight: row?.first_height,
    lastHeight: row?.last_height,
  };
}
