import type { UtxoJson } from '@coinfront/api/chain-addresses.ts';
import type { FeeReportJson } from '@coinfront/api/chain-state.ts';
import { decodeAddress } from '@coinfront/protocol/address.ts';
import { formatAmount } from '@coinfront/protocol/amount.ts';
import { bytesToHex, equalBytes, getHexBytes, toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import {
  parseTransaction,
  serializeTransaction,
  type Transaction,
  type TxOutput,
  txidOf,
} from '@coinfront/protocol/transaction.ts';
import type { Network } from '../network.ts';
import type { AddressReport, WalletReads } from '../wallet-reads.ts';

/** A service over a chain in memory that believes every transaction; a test overrides reads to make it lie. */
export type FakeChain = {
  reads: WalletReads;
  /** Pays an address from nowhere, in a block of its own. */
  pay(address: string, value: bigint): string;
  /** Puts what was broadcast into a block. */
  mine(): void;
  /** Transactions that came by `broadcast`, oldest first. */
  sent: Transaction[];
  findTransaction(txid: string): Transaction | undefined;
};

type Entry = { tx: Transaction; height: number | undefined };

/** @param relayRate - base units for 1,000 virtual bytes, of minimum and estimates */
export function createFakeChain(network: Network, { relayRate = 1_000n } = {}): FakeChain {
  const entries = new Map<string, Entry>();
  const sent: Transaction[] = [];
  let height = 100;
  let nonce = 0;

  const isSpent = (txid: string, vout: number) => {
    for (const { tx } of entries.values()) {
      if (tx.inputs.some(({ prevTxid, prevVout }) => prevVout === vout && toDisplayHash(prevTxid) === txid))
        return true;
    }
    return false;
  };
  const outputsOf = (script: Uint8Array) =>
    [...entries].flatMap(([txid, { tx, height: at }]) =>
      tx.outputs.flatMap((output, vout) =>
        equalBytes(output.script, script) ? [{ txid, vout, at, output }] : [],
      ),
    );
  const describe = (txid: string, vout: number, at: number | undefined, { value }: TxOutput): UtxoJson => ({
    txid,
    vout,
    value: formatAmount(value, network.decimals),
    height: at ?? null,
    confirmations: at === undefined ? 0 : height - at + 1,
    coinbase: false,
    spendable: true,
    spent_in_mempool: false,
    spendable_from_height: null,
  });
  const totals = (count: number, balance = 0n) => ({
    tx_count: count,
    received_count: count,
    received: '0',
    spent_count: 0,
    spent: '0',
    balance: formatAmount(balance, network.decimals),
  });

  const reads: WalletReads = {
    async getAddress(address): Promise<AddressReport> {
      const { script } = getValue(decodeAddress(address, network));
      const outputs = outputsOf(script);
      const unspent = outputs.filter(({ txid, vout }) => !isSpent(txid, vout));
      const balance = unspent.reduce((sum, { output }) => sum + output.value, 0n);
      const items = unspent.map(({ txid, vout, at, output }) => describe(txid, vout, at, output));
      return {
        confirmed: totals(outputs.length, balance),
        mempool: totals(0),
        utxos: { items, next_cursor: null },
      };
    },
    async listUtxos() {
      return { items: [], next_cursor: null };
    },
    async getRawTransaction(txid) {
      const entry = entries.get(txid);
      if (entry === undefined) throw new Error(`no transaction ${txid}`);
      return bytesToHex(serializeTransaction(entry.tx, { witness: true }));
    },
    async getFees() {
      const rate = { per_vb: '1.000', per_kvb: formatAmount(relayRate, network.decimals) };
      return {
        minimum: { ...rate, source: 'node' },
        estimates: [{ target_blocks: 6, ...rate, source: 'node' }],
        estimates_as_of: null,
        mempool: { tx_count: 0, vsize: 0, fees: '0', histogram: [] },
      } as FeeReportJson;
    },
    async broadcast(rawTx) {
      const tx = getValue(parseTransaction(getHexBytes(rawTx)));
      const txid = toDisplayHash(txidOf(tx));
      for (const [other, entry] of entries) {
        const conflicts = entry.tx.inputs.some((a) =>
          tx.inputs.some((b) => a.prevVout === b.prevVout && equalBytes(a.prevTxid, b.prevTxid)),
        );
        if (conflicts && entry.height === undefined) entries.delete(other);
      }
      entries.set(txid, { tx, height: undefined });
      sent.push(tx);
      return { txid };
    },
  };

  return {
    reads,
    sent,
    findTransaction: (txid) => entries.get(txid)?.tx,
    pay(address, value) {
      const { script } = getValue(decodeAddress(address, network));
      nonce += 1;
      height += 1;
      const prevTxid = new Uint8Array(32);
      new DataView(prevTxid.buffer).setUint32(0, nonce);
      const tx: Transaction = {
        version: 2,
        inputs: [{ prevTxid, prevVout: 7, scriptSig: new Uint8Array(0), sequence: 0xffffffff, witness: [] }],
        outputs: [{ value, script }],
        locktime: 0,
        hasWitness: false,
        mweb: undefined,
      };
      const txid = toDisplayHash(txidOf(tx));
      entries.set(txid, { tx, height });
      return txid;
    },
    mine() {
      height += 1;
      for (const entry of entries.values()) entry.height ??= height;
    },
  };
}
