import { bytesToHex } from '@coinfront/protocol/bytes.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import { parseTransaction, type Transaction, txidOf } from '@coinfront/protocol/transaction.ts';
import { describe, expect, it } from 'vitest';
import { openScriptPubKey, openWitnessScript, sha256 } from './scripts.ts';
import type { RawTransaction } from './serialize.ts';
import { createTraffic, HOT_NUMBER, hotTransactionsOf } from './traffic.ts';

const PLAN = { seed: 5, transactions: 3_000 };
const COINBASE = { txid: sha256(Buffer.from('coinbase')), value: 5_000_000_000n };

function makeAll(seed: number): { raws: RawTransaction[]; tenScripts: string[]; hotUnspent: number } {
  const traffic = createTraffic({ ...PLAN, seed });
  const raws = [traffic.fanOut(COINBASE)];
  for (let count = 0; count < PLAN.transactions; count++) raws.push(traffic.next());
  return { raws, tenScripts: traffic.tenTxScripts().map(bytesToHex), hotUnspent: traffic.hotUnspent() };
}

function parseAll(raws: readonly RawTransaction[]): Transaction[] {
  return raws.map(({ hex }) => getValue(parseTransaction(Buffer.from(hex, 'hex'))));
}

/** Replays transactions as a node would: which scripts each touched, and what stays unspent. */
function replay(txs: readonly Transaction[]) {
  const unspent = new Map([[outpoint(COINBASE.txid, 0), { script: '', value: COINBASE.value }]]);
  const touched = new Map<string, number>();
  for (const tx of txs) {
    const scripts = new Set<string>();
    let fee = 0n;
    for (const input of tx.inputs) {
      const key = outpoint(input.prevTxid, input.prevVout);
      const prevout = unspent.get(key);
      if (!prevout) throw new Error(`${key} is spent twice, or before it is made`);
      unspent.delete(key);
      scripts.add(prevout.script);
      fee += prevout.value;
    }
    tx.outputs.forEach(({ script, value }, vout) => {
      scripts.add(bytesToHex(script));
      unspent.set(outpoint(txidOf(tx), vout), { script: bytesToHex(script), value });
      fee -= value;
    });
    if (fee < 0n) throw new Error(`a transaction pays ${-fee} more than it has`);
    for (const script of scripts) touched.set(script, (touched.get(script) ?? 0) + 1);
  }
  return { touched, unspent: [...unspent.values()] };
}

function outpoint(txid: Uint8Array, vout: number): string {
  return `${bytesToHex(txid)}:${vout}`;
}

describe('createTraffic', () => {
  it('makes the same transactions from the same seed, others from another', () => {
    const idsOf = (seed: number): string[] => makeAll(seed).raws.map(({ txid }) => bytesToHex(txid));
    expect(idsOf(5)).toEqual(idsOf(5));
    expect(idsOf(5)).not.toEqual(idsOf(6));
  });

  it('names each transaction by the txid that the protocol computes', () => {
    const { raws } = makeAll(1);
    const computed = parseAll(raws).map((tx) => bytesToHex(txidOf(tx)));
    expect(computed).toEqual(raws.map(({ txid }) => bytesToHex(txid)));
  });

  it('spends every output at most once, after it was made, and never more than it has', () => {
    expect(() => replay(parseAll(makeAll(2).raws))).not.toThrow();
  });

  it('touches the hot address in exactly its share of transactions and each ten-transaction address ten times', () => {
    const { raws, tenScripts, hotUnspent } = makeAll(3);
    const { touched, unspent } = replay(parseAll(raws));
    const hotScript = bytesToHex(openScriptPubKey(HOT_NUMBER));
    expect(touched.get(hotScript)).toBe(hotTransactionsOf(PLAN.transactions));
    expect(unspent.filter(({ script }) => script === hotScript)).toHaveLength(hotUnspent);
    expect(tenScripts.map((script) => touched.get(script))).toEqual(tenScripts.map(() => 10));
    expect(tenScripts.length).toBeGreaterThan(0);
  });

  it('goes on with ordinary transactions after the plan', () => {
    const traffic = createTraffic({ seed: 4, transactions: 500 });
    const raws = [traffic.fanOut(COINBASE)];
    for (let count = 0; count < 700; count++) raws.push(traffic.next());
    const { touched } = replay(parseAll(raws));
    expect(touched.get(bytesToHex(openScriptPubKey(HOT_NUMBER)))).toBe(hotTransactionsOf(500));
  });
});

describe('openScriptPubKey', () => {
  it('pays to the SHA-256 of the witness script that spends it (BIP-141)', () => {
    const script = openScriptPubKey(70_000);
    expect(bytesToHex(script)).toBe(`0020${bytesToHex(sha256(openWitnessScript(70_000)))}`);
  });
});
