import { bytesToHex, getHexBytes } from '@coinfront/protocol/bytes.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import { parseTransaction, type Transaction } from '@coinfront/protocol/transaction.ts';
import type { Writer } from '../../db/database.ts';
import type { SqlValue } from '../../db/statement.ts';
import { sha256 } from '../encoding/hashes.ts';
import { mempoolScriptTable, mempoolSpendTable, mempoolTxTable } from '../layout.ts';
import { milliRateOf } from './mempool-summary.ts';

/** A transaction of the mempool. Parsed it would take four times the memory: {@link readEntry} does it anew, in 3 us. */
export type MempoolEntry = {
  id: number;
  /** Internal byte order, hex. */
  txid: string;
  raw: Uint8Array;
  weight: number;
  vsize: number;
  /** Base units. */
  fee: bigint;
};

/** A transaction that joins the mempool, with the outputs that its inputs spend. */
export type NewMempoolEntry = {
  entry: MempoolEntry;
  tx: Transaction;
  prevouts: readonly { value: bigint; script: Uint8Array }[];
};

/** The transaction of an entry; its fields are views of the entry's bytes. */
export function readEntry({ raw }: MempoolEntry): Transaction {
  return getValue(parseTransaction(raw));
}

/** Inserts the rows of new transactions. */
export async function insertMempoolEntries(
  writer: Writer,
  added: readonly NewMempoolEntry[],
  firstSeenMs: number,
): Promise<void> {
  const txs: SqlValue[][] = mempoolTxTable.columns.map(() => []);
  const spends: SqlValue[][] = mempoolSpendTable.columns.map(() => []);
  const scripts: SqlValue[][] = mempoolScriptTable.columns.map(() => []);
  for (const { entry, tx, prevouts } of added) {
    const { id, weight, fee, raw } = entry;
    const txid = getHexBytes(entry.txid);
    const minusRate = 0 - milliRateOf(entry);
    pushRow(txs, [id, txid, firstSeenMs, weight, fee, sumValues(tx.outputs), raw, minusRate]);
    tx.inputs.forEach((input, vin) => {
      pushRow(spends, [input.prevTxid, input.prevVout, id, vin]);
    });
    for (const [hash, change] of sumByScript(tx, prevouts)) {
      pushRow(scripts, [
        getHexBytes(hash),
        id,
        change.funded,
        change.fundedSum,
        change.spent,
        change.spentSum,
      ]);
    }
  }
  await writer.insert(mempoolTxTable, txs[0]!.length, txs);
  await writer.insert(mempoolSpendTable, spends[0]!.length, spends);
  await writer.insert(mempoolScriptTable, scripts[0]!.length, scripts);
}

type ScriptChange = { funded: number; fundedSum: bigint; spent: number; spentSum: bigint };

function sumByScript(tx: Transaction, prevouts: NewMempoolEntry['prevouts']): Map<string, ScriptChange> {
  const changes = new Map<string, ScriptChange>();
  const changeOf = (script: Uint8Array): ScriptChange => {
    const hash = bytesToHex(sha256(script));
    const found = changes.get(hash);
    if (found) return found;
    const change = { funded: 0, fundedSum: 0n, spent: 0, spentSum: 0n };
    changes.set(hash, change);
    return change;
  };
  for (const { value, script } of prevouts) {
    const change = changeOf(script);
    change.spent++;
    change.spentSum += value;
  }
  for (const { value, script } of tx.outputs) {
    const change = changeOf(script);
    change.funded++;
    change.fundedSum += value;
  }
  return changes;
}

/** Sum of values, base units. */
export function sumValues(outputs: readonly { value: bigint }[]): bigint {
  return outputs.reduce((sum, { value }) => sum + value, 0n);
}

function pushRow(columns: SqlValue[][], values: readonly SqlValue[]): void {
  values.forEach((value, column) => {
    columns[column]!.push(value);
  });
}
