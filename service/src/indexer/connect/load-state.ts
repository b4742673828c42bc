import type { Reader } from '../../db/database.ts';
import { sql } from '../../db/statement.ts';
import { type ChainState, emptyChainState } from './chain-state.ts';

type TipRow = {
  height: number;
  hash: Uint8Array;
  chainwork: Uint8Array;
  total_size: number;
  total_weight: number;
  total_txs: number;
  total_inputs: number;
  total_outputs: number;
  total_utxos: number;
  total_issued: string;
  total_burned: string;
  total_coinbase_paid: string;
  total_fees: string;
  total_rates: string;
};

const FIND_BLOCK = sql<TipRow>(
  `select height, hash, chainwork, total_size, total_weight, total_txs, total_inputs, total_outputs, total_utxos, total_issued, total_burned,
   total_coinbase_paid, total_fees, total_rates from block where height = $1`,
);
const FIND_TIP_HEIGHT = sql<{ height: number | null }>('select max(height) as height from block');
const LIST_TIMES = sql<{ time: number }>(
  'select time from block where height > $1 and height <= $2 order by height',
);

/** Reads the state after the last block that is indexed. */
export async function loadChainState(reader: Reader): Promise<ChainState> {
  const height = (await reader.get(FIND_TIP_HEIGHT))?.height ?? null;
  const tip = height === null ? undefined : await reader.get(FIND_BLOCK, [height]);
  if (!tip) return emptyChainState();
  const times = await reader.all(LIST_TIMES, [tip.height - 11, tip.height]);
  return {
    height: tip.height,
    hash: tip.hash.slice(),
    chainwork: fromBigEndian(tip.chainwork),
    times: times.map((row) => row.time),
    totals: {
      size: tip.total_size,
      weight: tip.total_weight,
      txs: tip.total_txs,
      inputs: tip.total_inputs,
      outputs: tip.total_outputs,
      utxos: tip.total_utxos,
      issued: BigInt(tip.total_issued),
      burned: BigInt(tip.total_burned),
      coinbasePaid: BigInt(tip.total_coinbase_paid),
      fees: BigInt(tip.total_fees),
      rates: tip.total_rates,
    },
  };
}

/** A number written as big-endian bytes. */
export function fromBigEndian(bytes: Uint8Array): bigint {
  let value = 0n;
  for (const byte of bytes) value = (value << 8n) | BigInt(byte);
  return value;
}
