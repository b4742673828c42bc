import { hash } from 'node:crypto';
import {
  type TxBlockJson,
  type TxDetailJson,
  type TxInputJson,
  type TxOutputJson,
  txPartLimit,
  txWitnessLimit,
} from '@coinfront/api/chain-transactions.ts';
import { encodeAddress } from '@coinfront/protocol/address.ts';
import { formatAmount } from '@coinfront/protocol/amount.ts';
import { bytesToHex, toDisplayHash } from '@coinfront/protocol/bytes.ts';
import { readCarrier } from '@coinfront/protocol/carrier.ts';
import type { CoinProfile } from '@coinfront/protocol/profile.ts';
import { formatFeeRate, signalsReplaceability } from '@coinfront/protocol/relay-rules.ts';
import {
  classifyScript,
  disassembleScript,
  isUnspendable,
  scriptTypeName,
} from '@coinfront/protocol/script.ts';
import {
  isCoinbase,
  type Transaction,
  type TxInput,
  type TxOutput,
} from '@coinfront/protocol/transaction.ts';
import { sizesOfPart, type TransactionPart, withoutMweb } from '@coinfront/protocol/transaction-part.ts';
import { confirmationsAt } from '../../chain/chain-reads.ts';
import type { BlockName, BlockRecord, Prevout, Spend, TxRecord } from '../../chain/chain-view.ts';
import { formatTime } from './serialise-block.ts';

/** Scripts above this can never run (consensus), and are not shown. */
const maxShownScriptBytes = 10_000;

/** One transaction with everything that the chain says about it, read from one view. */
export type TxParts = {
  record: TxRecord;
  part: TransactionPart;
  /** One per input, from the first shown. */
  prevouts: readonly (Prevout | undefined)[];
  /** One per output, from the first shown. */
  spends: readonly (Spend | undefined)[];
  /** Its block; undefined in the mempool. */
  block: BlockName | undefined;
  tip: BlockRecord;
};

/** What is shown of a transaction. */
export type TxFrom = { firstInput: number; firstWitness: number; firstOutput: number };

/** The block of a transaction. */
export function serialiseTxBlock(block: BlockName, position: number): TxBlockJson {
  return { hash: toDisplayHash(block.hash), height: block.height, position, time: formatTime(block.time) };
}

/** A transaction with the inputs from `firstInput` and the outputs from `firstOutput` on. */
export function serialiseTx(
  { record, part, prevouts, spends, block, tip }: TxParts,
  { firstInput, firstWitness, firstOutput }: TxFrom,
  profile: CoinProfile,
): TxDetailJson {
  const { decimals } = profile;
  const { tx, witnessCounts } = part;
  const sizes = sizesOfPart(record.raw, part);
  const coinbase = isCoinbase(tx);
  const { status } = record;
  const endInput = findEndInput(part, firstInput, firstWitness);
  const endOutput = Math.min(firstOutput + txPartLimit, tx.outputs.length);
  return {
    txid: toDisplayHash(record.txid),
    wtxid: toDisplayHash(wtxidFrom(record, tx)),
    version: tx.version,
    locktime: tx.locktime,
    size: sizes.size,
    stripped_size: sizes.strippedSize,
    vsize: sizes.vsize,
    weight: sizes.weight,
    fee: record.fee === undefined ? null : formatAmount(record.fee, decimals),
    fee_rate: record.fee === undefined ? null : formatFeeRate(record.fee, sizes.weight),
    output_value: formatAmount(
      tx.outputs.reduce((sum, output) => sum + output.value, 0n),
      decimals,
    ),
    coinbase,
    rbf_signaled: signalsReplaceability(tx),
    confirmed: status.confirmed,
    confirmations: status.confirmed ? confirmationsAt(status.height, tip) : 0,
    block: status.confirmed && block !== undefined ? serialiseTxBlock(block, status.position) : null,
    first_seen: status.confirmed ? null : new Date(status.firstSeenMs).toISOString(),
    input_count: tx.inputs.length,
    output_count: tx.outputs.length,
    inputs: tx.inputs.slice(firstInput, endInput).map((input, i) => ({
      ...serialiseInput(input, firstInput + i, coinbase, prevouts[i], profile),
      ...(input.witness.length === (witnessCounts[firstInput + i] ?? 0)
        ? {}
        : { witness_count: witnessCounts[firstInput + i]! }),
    })),
    outputs: tx.outputs
      .slice(firstOutput, endOutput)
      .map((output, i) => serialiseOutput(output, firstOutput + i, spends[i], profile)),
    next_input: endInput < tx.inputs.length ? endInput : null,
    next_output: endOutput < tx.outputs.length ? endOutput : null,
  };
}

/** Where the inputs of a page end: before the first whose witness would be more than one answer shows. */
function findEndInput(
  { tx, witnessCounts }: TransactionPart,
  firstInput: number,
  firstWitness: number,
): number {
  const most = Math.min(firstInput + txPartLimit, tx.inputs.length);
  let items = Math.max(0, (witnessCounts[firstInput] ?? 0) - firstWitness);
  for (let i = firstInput + 1; i < most; i++) {
    items += witnessCounts[i] ?? 0;
    if (items > txWitnessLimit) return i;
  }
  return most;
}

/** The wtxid from the stored bytes, by native code. */
function wtxidFrom({ raw, txid }: TxRecord, tx: Transaction): Uint8Array {
  if (!tx.hasWitness) return txid;
  const bytes = tx.mweb === undefined ? raw : withoutMweb(raw, tx.mweb.length);
  return hash('sha256', hash('sha256', bytes, 'buffer'), 'buffer');
}

function serialiseInput(
  input: TxInput,
  index: number,
  coinbase: boolean,
  prevout: Prevout | undefined,
  profile: CoinProfile,
): TxInputJson {
  const shown = !coinbase && input.scriptSig.length <= maxShownScriptBytes;
  return {
    index,
    txid: coinbase ? null : toDisplayHash(input.prevTxid),
    vout: coinbase ? null : input.prevVout,
    coinbase,
    prevout:
      prevout === undefined
        ? null
        : {
            value: formatAmount(prevout.value, profile.decimals),
            ...serialiseScript(prevout.script, profile),
          },
    script_sig: bytesToHex(input.scriptSig),
    script_sig_asm: shown ? disassembleScript(input.scriptSig, { showSighash: true }) : null,
    witness: input.witness.map(bytesToHex),
    sequence: input.sequence,
  };
}

function serialiseOutput(
  output: TxOutput,
  index: number,
  spend: Spend | undefined,
  profile: CoinProfile,
): TxOutputJson {
  const payload = readCarrier(output.script);
  return {
    index,
    value: formatAmount(output.value, profile.decimals),
    ...serialiseScript(output.script, profile),
    data: payload === undefined ? null : bytesToHex(payload),
    unspendable: isUnspendable(output.script),
    spent_by:
      spend === undefined
        ? null
        : { txid: toDisplayHash(spend.txid), vin: spend.vin, height: spend.height ?? null },
  };
}

/** The fields that describe a scriptPubKey. */
export function serialiseScript(
  script: Uint8Array,
  profile: CoinProfile,
): Pick<TxOutputJson, 'address' | 'script_type' | 'script' | 'script_asm'> {
  const shown = script.length <= maxShownScriptBytes;
  return {
    address: encodeAddress(script, profile) ?? null,
    script_type: scriptTypeName(classifyScript(script).kind),
    script: shown ? bytesToHex(script) : null,
    script_asm: shown ? disassembleScript(script) : null,
  };
}
