import { encodeAddress } from '@coinfront/protocol/address.ts';
import { formatAmount } from '@coinfront/protocol/amount.ts';
import { bytesToHex, toDisplayHash } from '@coinfront/protocol/bytes.ts';
import type { CoinProfile } from '@coinfront/protocol/profile.ts';
import { classifyScript, disassembleScript, scriptTypeName } from '@coinfront/protocol/script.ts';
import {
  isCoinbase,
  type Transaction,
  type TxInput,
  type TxOutput,
} from '@coinfront/protocol/transaction.ts';
import { listWitnessItems, sizesOfPart, withoutMweb } from '@coinfront/protocol/transaction-part.ts';
import { confirmationsAt, parseWithoutItems } from '../../../chain/chain-reads.ts';
import type { BlockName, BlockRecord, TxRecord } from '../../../chain/chain-view.ts';
import { sha256d } from '../../../indexer/encoding/hashes.ts';

/** A transaction to show: its block, undefined in the mempool, and the tip. */
export type ShownTx = {
  readonly record: TxRecord;
  readonly block: BlockName | undefined;
  readonly tip: BlockRecord;
};

/** Witness items that are written together. */
const ITEMS_OF_PIECE = 1_000;

/**
 * A transaction in the form of Core's `getrawtransaction`, as JSON: what wallets expect that ask for it verbosely. Addresses are there by
 * the names of old and new nodes. In pieces of bounded work, since one may have millions of witness items.
 */
export function* showTransaction({ record, block, tip }: ShownTx, profile: CoinProfile): Generator<string> {
  const part = parseWithoutItems(record);
  const { tx, witnessCounts } = part;
  const items = listWitnessItems(record.raw, part);
  const { size, vsize, weight } = sizesOfPart(record.raw, part);
  const fields = [
    `"txid":"${toDisplayHash(record.txid)}"`,
    `"hash":"${toDisplayHash(findWtxid(record, tx))}"`,
    `"version":${tx.version}`,
    `"size":${size},"vsize":${vsize},"weight":${weight}`,
    `"locktime":${tx.locktime}`,
  ];
  yield `{${fields.join(',')},"vin":[`;
  const makesCoins = isCoinbase(tx);
  for (const [i, input] of tx.inputs.entries()) {
    yield `${i === 0 ? '' : ','}{${showSource(input, makesCoins)},`;
    const count = witnessCounts[i] ?? 0;
    if (count > 0) {
      yield '"txinwitness":[';
      for (let done = 0; done < count; done += ITEMS_OF_PIECE) {
        if (done > 0) yield ',';
        yield showItems(items, Math.min(ITEMS_OF_PIECE, count - done));
      }
      yield '],';
    }
    yield `"sequence":${input.sequence}}`;
  }
  yield '],"vout":[';
  for (const [n, output] of tx.outputs.entries())
    yield `${n === 0 ? '' : ','}${showOutput(output, n, profile)}`;
  yield `],"hex":"${bytesToHex(record.raw)}"${block ? `,${showBlock(block, tip)}` : ''}}`;
}

function findWtxid({ txid, raw }: TxRecord, { hasWitness, mweb }: Transaction): Uint8Array {
  if (!hasWitness) return txid;
  return sha256d(mweb === undefined ? raw : withoutMweb(raw, mweb.length));
}

function showBlock({ hash, height, time }: BlockName, tip: BlockRecord): string {
  return `"blockhash":"${toDisplayHash(hash)}","confirmations":${confirmationsAt(height, tip)},"time":${time},"blocktime":${time}`;
}

function showSource({ prevTxid, prevVout, scriptSig }: TxInput, makesCoins: boolean): string {
  if (makesCoins) return `"coinbase":"${bytesToHex(scriptSig)}"`;
  const asm = disassembleScript(scriptSig, { showSighash: true });
  return `"txid":"${toDisplayHash(prevTxid)}","vout":${prevVout},"scriptSig":{"asm":"${asm}","hex":"${bytesToHex(scriptSig)}"}`;
}

function showItems(items: Iterator<Uint8Array, undefined>, count: number): string {
  const texts: string[] = [];
  while (texts.length < count) texts.push(`"${bytesToHex(items.next().value!)}"`);
  return texts.join(',');
}

function showOutput({ value, script }: TxOutput, n: number, profile: CoinProfile): string {
  const { kind } = classifyScript(script);
  const address = encodeAddress(script, profile);
  const named = address === undefined ? '' : `"address":"${address}","addresses":["${address}"],`;
  const asm = disassembleScript(script);
  return `{"value":${formatAmount(value, profile.decimals)},"n":${n},"scriptPubKey":{"asm":"${asm}","hex":"${bytesToHex(script)}",${named}"type":"${scriptTypeName(kind)}"}}`;
}
