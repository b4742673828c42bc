import { SCRIPT_KEY_BYTES } from '@coinfront/protocol/block-scan.ts';
import { bytesToHex, getHexBytes } from '@coinfront/protocol/bytes.ts';
import { parseTransaction, type TxOutput } from '@coinfront/protocol/transaction.ts';
import { keyOfScript } from '../encoding/hashes.ts';
import { OUTPOINT_BYTES } from '../feed/fetched-block.ts';
import type { ForeseenPrevouts } from '../feed/foreseen-prevouts.ts';

/** A transaction under its txid (internal byte order, hex). */
export type NamedTx = { readonly txid: string; readonly raw: Uint8Array };

/** An output of the chain, with its number. */
export type SpentOutput = TxOutput & { readonly outputId: number };

/** Outputs of the chain that are spent, by the txid of their transaction (internal byte order, hex) and by output index. */
export type SpentOutputs = ReadonlyMap<string, ReadonlyMap<number, SpentOutput>>;

/** Hands over those of these transactions that are confirmed, with the number of their first output and what finds each. */
export type VisitConfirmed = (
  txids: readonly string[],
  visit: (txid: string, firstOutput: number, findOutput: (vout: number) => TxOutput | undefined) => void,
) => Promise<void>;

/** Each may be of a megabyte and more, and all are in memory for a moment; on PostgreSQL they share a few statements. */
const AT_ONCE = 64;

/**
 * Reads what transactions spend of others that are neither among them nor held already. Thousands of small ones may spend the
 * outputs of one transaction of a megabyte: it is read once for all, and nothing of it is kept but what is spent. Read for each
 * of 3,000, it had held the indexer for 17 seconds.
 *
 * @param isHeld whether the outputs of a transaction are at hand, by its txid
 */
export async function readSpentOutputs(
  txs: readonly NamedTx[],
  isHeld: (txid: string) => boolean,
  visitConfirmed: VisitConfirmed,
): Promise<SpentOutputs> {
  const { wanted, own } = listWanted(txs);
  const spent = new Map<string, ReadonlyMap<number, SpentOutput>>();
  const asked = [...wanted.keys()].filter((txid) => !own.has(txid) && !isHeld(txid));
  for (let at = 0; at < asked.length; at += AT_ONCE) {
    await visitConfirmed(asked.slice(at, at + AT_ONCE), (txid, firstOutput, findOutput) => {
      const found = new Map<number, SpentOutput>();
      for (const vout of wanted.get(txid) ?? []) {
        const output = findOutput(vout);
        // A copy: the script of an output is a view of its whole transaction.
        if (!output) continue;
        found.set(vout, { value: output.value, script: output.script.slice(), outputId: firstOutput + vout });
      }
      spent.set(txid, found);
    });
  }
  return spent;
}

/** The same as whoever makes blocks ready is told of it. */
export function packSpent(spent: SpentOutputs): ForeseenPrevouts {
  const outputs = [...spent].flatMap(([txid, ofTx]) =>
    Array.from(ofTx, ([vout, output]) => ({ txid: getHexBytes(txid), vout, ...output })),
  );
  const outpoints = new Uint8Array(outputs.length * OUTPOINT_BYTES);
  const keys = new Uint8Array(outputs.length * SCRIPT_KEY_BYTES);
  const view = new DataView(outpoints.buffer);
  for (const [i, { txid, vout, script }] of outputs.entries()) {
    outpoints.set(txid, i * OUTPOINT_BYTES);
    view.setUint32(i * OUTPOINT_BYTES + txid.length, vout, true);
    keys.set(keyOfScript(script), i * SCRIPT_KEY_BYTES);
  }
  return {
    outpoints,
    outputIds: Float64Array.from(outputs, ({ outputId }) => outputId),
    values: BigInt64Array.from(outputs, ({ value }) => value),
    keys,
  };
}

/** Nothing else of the transactions is kept meanwhile: parsed, one of many witness items is far larger. */
function listWanted(txs: readonly NamedTx[]) {
  const wanted = new Map<string, Set<number>>();
  const own = new Set(txs.map(({ txid }) => txid));
  for (const { raw } of txs) {
    const tx = parseTransaction(raw);
    if (!tx.ok) continue;
    for (const { prevTxid, prevVout } of tx.value.inputs) {
      const txid = bytesToHex(prevTxid);
      const vouts = wanted.get(txid);
      if (vouts) vouts.add(prevVout);
      else wanted.set(txid, new Set([prevVout]));
    }
  }
  return { wanted, own };
}
