import type {
  EsploraBlockJson,
  EsploraInputJson,
  EsploraOutputJson,
  EsploraStatusJson,
  EsploraTotalsJson,
  EsploraTxJson,
} from '@coinfront/api/esplora.ts';
import { encodeAddress } from '@coinfront/protocol/address.ts';
import { bytesToHex, toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { OP_RETURN } from '@coinfront/protocol/opcodes.ts';
import type { CoinProfile } from '@coinfront/protocol/profile.ts';
import { classifyScript, type ScriptKind } from '@coinfront/protocol/script.ts';
import { isCoinbase, type TxInput, transactionSizes } from '@coinfront/protocol/transaction.ts';
import {
  type BlockName,
  type BlockRecord,
  type ChainView,
  difficultyOf,
  type Prevout,
  parseStored,
  readHeaderFields,
  type ScriptStats,
  type TxRecord,
} from '../../chain/chain-reads.ts';
import { describeInnerScripts } from './inner-scripts.ts';
import { disassembleForEsplora } from './script-asm.ts';

const kindNames: Partial<Record<ScriptKind, string>> = {
  p2pk: 'p2pk',
  p2pkh: 'p2pkh',
  p2sh: 'p2sh',
  p2wpkh: 'v0_p2wpkh',
  p2wsh: 'v0_p2wsh',
  p2tr: 'v1_p2tr',
  empty: 'empty',
};

/**
 * Base units as a JSON number. Above 2^53 the exact digits are written, which only `JSON.stringify` understands.
 */
export function toBaseUnits(value: bigint): number {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : (rawJson(value.toString()) as unknown as number);
}

const { rawJSON: rawJson } = JSON as JSON & { rawJSON: (text: string) => unknown };

/** Where a transaction is; reads its block. */
export async function readStatus(view: ChainView, height: number | undefined): Promise<EsploraStatusJson> {
  const block = height === undefined ? undefined : await view.nameBlockAt(height);
  return block === undefined ? { confirmed: false } : serialiseStatus(block);
}

function serialiseStatus(block: BlockName): EsploraStatusJson {
  return {
    confirmed: true,
    block_height: block.height,
    block_hash: toDisplayHash(block.hash),
    block_time: block.time,
  };
}

/** What a transaction's JSON is made of. */
export type EsploraTxParts = {
  record: TxRecord;
  /** One per input. */
  prevouts: readonly (Prevout | undefined)[];
  status: EsploraStatusJson;
};

/** A transaction with what it spends, read from one view. */
export async function readTxParts(view: ChainView, record: TxRecord): Promise<EsploraTxParts> {
  return (await readManyTxParts(view, [record]))[0]!;
}

/** The same of several. */
export async function readManyTxParts(
  view: ChainView,
  records: readonly TxRecord[],
): Promise<EsploraTxParts[]> {
  const prevouts = await view.listPrevoutsOf(records);
  return await Promise.all(
    records.map(async (record, i) => ({
      record,
      prevouts: prevouts[i]!,
      status: await readStatus(view, record.status.confirmed ? record.status.height : undefined),
    })),
  );
}

/** A transaction as Esplora shows it. */
export function serialiseTx(
  { record, prevouts, status }: EsploraTxParts,
  profile: CoinProfile,
): EsploraTxJson {
  const tx = parseStored(record);
  const { size, weight } = transactionSizes(tx);
  const coinbase = isCoinbase(tx);
  return {
    txid: toDisplayHash(record.txid),
    version: tx.version,
    locktime: tx.locktime,
    vin: tx.inputs.map((input, i) => serialiseInput(input, coinbase, prevouts[i], profile)),
    vout: tx.outputs.map((output) => serialiseOutput(output, profile)),
    size,
    weight,
    fee: toBaseUnits(record.fee ?? 0n),
    status,
  };
}

/** An input with all of its witness. */
export function serialiseInput(
  input: TxInput,
  coinbase: boolean,
  prevout: Prevout | undefined,
  profile: CoinProfile,
): EsploraInputJson {
  return {
    ...headOfInput(input, prevout, profile),
    ...(input.witness.length === 0 ? {} : { witness: input.witness.map(bytesToHex) }),
    ...tailOfInput(input, coinbase, prevout),
  };
}

/** What stands before the witness of an input. */
export function headOfInput(
  input: TxInput,
  prevout: Prevout | undefined,
  profile: CoinProfile,
): Omit<EsploraInputJson, 'is_coinbase' | 'sequence'> {
  return {
    txid: toDisplayHash(input.prevTxid),
    vout: input.prevVout,
    prevout: prevout === undefined ? null : serialiseOutput(prevout, profile),
    scriptsig: bytesToHex(input.scriptSig),
    scriptsig_asm: disassembleForEsplora(input.scriptSig),
  };
}

/** What stands behind it. */
export function tailOfInput(
  input: TxInput,
  coinbase: boolean,
  prevout: Prevout | undefined,
): Pick<EsploraInputJson, 'is_coinbase' | 'sequence'> {
  return {
    is_coinbase: coinbase,
    sequence: input.sequence,
    ...(prevout === undefined ? {} : describeInnerScripts(input, prevout.script)),
  };
}

/** An output, or what an input spends. */
export function serialiseOutput(
  { script, value }: Pick<Prevout, 'script' | 'value'>,
  profile: CoinProfile,
): EsploraOutputJson {
  const address = encodeAddress(script, profile);
  return {
    scriptpubkey: bytesToHex(script),
    scriptpubkey_asm: disassembleForEsplora(script),
    scriptpubkey_type: nameKind(script),
    ...(address === undefined ? {} : { scriptpubkey_address: address }),
    value: toBaseUnits(value),
  };
}

/** Whatever follows OP_RETURN, standard or not. */
function nameKind(script: Uint8Array): string {
  if (script[0] === OP_RETURN) return 'op_return';
  return kindNames[classifyScript(script).kind] ?? 'unknown';
}

/** A block. */
export function serialiseBlock(block: BlockRecord): EsploraBlockJson {
  const header = readHeaderFields(block.header);
  return {
    id: toDisplayHash(block.hash),
    height: block.height,
    version: header.version,
    timestamp: block.time,
    tx_count: block.txCount,
    size: block.size,
    weight: block.weight,
    merkle_root: toDisplayHash(header.merkleRoot),
    previousblockhash: block.height === 0 ? null : toDisplayHash(header.prevHash),
    mediantime: block.medianTimePast,
    nonce: header.nonce,
    bits: header.bits,
    difficulty: difficultyOf(block),
  };
}

/** Totals of a script. */
export function serialiseTotals(stats: ScriptStats): EsploraTotalsJson {
  return {
    tx_count: stats.txCount,
    funded_txo_count: stats.fundedCount,
    funded_txo_sum: toBaseUnits(stats.fundedSum),
    spent_txo_count: stats.spentCount,
    spent_txo_sum: toBaseUnits(stats.spentSum),
  };
}
