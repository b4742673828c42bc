import { encodeAddress } from '@coinfront/protocol/address.ts';
import { formatAmount } from '@coinfront/protocol/amount.ts';
import { bytesToHex, toDisplayHash } from '@coinfront/protocol/bytes.ts';
import type { CoinProfile } from '@coinfront/protocol/profile.ts';
import { classifyScript, disassembleScript, scriptTypeName } from '@coinfront/protocol/script.ts';
import {
  isCoinbase,
  type TxInput,
  type TxOutput,
  transactionSizes,
  wtxidOf,
} from '@coinfront/protocol/transaction.ts';
import { confirmationsAt, parseStored } from '../../../chain/chain-reads.ts';
import type { BlockName, BlockRecord, TxRecord } from '../../../chain/chain-view.ts';

/**
 * A transaction in the form of Core's `getrawtransaction`, as JSON: what wallets expect that ask for it verbosely. Addresses are there by
 * the names of old and new nodes.
 *
 * @param block of the transaction; undefined in the mempool
 */
export function showTransaction(
  record: TxRecord,
  block: BlockName | undefined,
  tip: BlockRecord,
  profile: CoinProfile,
): string {
  const tx = parseStored(record);
  const { size, vsize, weight } = transactionSizes(tx);
  const inputs = tx.inputs.map((input) => showInput(input, isCoinbase(tx)));
  const outputs = tx.outputs.map((output, n) => showOutput(output, n, profile));
  const fields = [
    `"txid":"${toDisplayHash(record.txid)}"`,
    `"hash":"${toDisplayHash(wtxidOf(tx))}"`,
    `"version":${tx.version}`,
    `"size":${size},"vsize":${vsize},"weight":${weight}`,
    `"locktime":${tx.locktime}`,
    `"vin":[${inputs.join(',')}]`,
    `"vout":[${outputs.join(',')}]`,
    `"hex":"${bytesToHex(record.raw)}"`,
    ...(block ? [showBlock(block, tip)] : []),
  ];
  return `{${fields.join(',')}}`;
}

function showBlock({ hash, height, time }: BlockName, tip: BlockRecord): string {
  return `"blockhash":"${toDisplayHash(hash)}","confirmations":${confirmationsAt(height, tip)},"time":${time},"blocktime":${time}`;
}

function showInput(
  { prevTxid, prevVout, scriptSig, sequence, witness }: TxInput,
  makesCoins: boolean,
): string {
  const items = witness.map((item) => `"${bytesToHex(item)}"`).join(',');
  const rest = `${witness.length === 0 ? '' : `"txinwitness":[${items}],`}"sequence":${sequence}`;
  if (makesCoins) return `{"coinbase":"${bytesToHex(scriptSig)}",${rest}}`;
  const asm = disassembleScript(scriptSig, { showSighash: true });
  return `{"txid":"${toDisplayHash(prevTxid)}","vout":${prevVout},"scriptSig":{"asm":"${asm}","hex":"${bytesToHex(scriptSig)}"},${rest}}`;
}

function showOutput({ value, script }: TxOutput, n: number, profile: CoinProfile): string {
  const { kind } = classifyScript(script);
  const address = encodeAddress(script, profile);
  const named = address === undefined ? '' : `"address":"${address}","addresses":["${address}"],`;
  const asm = disassembleScript(script);
  return `{"value":${formatAmount(value, profile.decimals)},"n":${n},"scriptPubKey":{"asm":"${asm}","hex":"${bytesToHex(script)}",${named}"type":"${scriptTypeName(kind)}"}}`;
}
