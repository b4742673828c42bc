import { encodeAddress } from '@coinfront/protocol/address.ts';
import { bytesToHex, concatBytes, equalBytes } from '@coinfront/protocol/bytes.ts';
import { sha256, sha256d } from '@coinfront/protocol/hash.ts';
import { createWriter } from '@coinfront/protocol/writer.ts';
import { SigHash, Transaction } from '@scure/btc-signer/transaction.js';
import { PSBT_OPTIONS, readPathNumbers } from './assemble-psbt.ts';
import { describePayload, type PayloadDescription } from './describe-payload.ts';
import { MAX_CHAIN_ADDRESSES } from './scan-accounts.ts';
import { frameWeight, inputWeight, outputWeight, vsizeOf } from './transaction-weight.ts';
import type { WalletAddress } from './wallet-address.ts';
import { WalletError } from './wallet-error.ts';
import { deriveAddress, type WatchWallet } from './watch-wallet.ts';

/** An input of a transaction that is to be signed. All inputs are the wallet's own. */
export type ReviewedInput = { txid: string; vout: number; value: bigint; owner: WalletAddress };

/**
 * An output. `change` goes back to a change address or to the address of an input, `own` to another of the wallet. An index
 * that no scan reaches is not the wallet's: restored from its words it would not find such an output.
 */
export type ReviewedOutput = {
  index: number;
  kind: 'external' | 'own' | 'change' | 'data';
  value: bigint;
  script: Uint8Array;
  /** Undefined for scripts that have none. */
  address: string | undefined;
  /** Whose it is; undefined unless it is the wallet's. */
  owner: WalletAddress | undefined;
  /** What a data carrier says. */
  payload: PayloadDescription | undefined;
};

/**
 * All that signing a transaction would do, computed from the PSBT and the wallet's own keys, from nothing that a service
 * said: amounts are proven by the previous transactions that the PSBT carries. Base units.
 */
export type TransactionReview = {
  inputs: ReviewedInput[];
  outputs: ReviewedOutput[];
  /** To others, data carriers' values included. */
  sent: bigint;
  /** Back to the wallet. */
  returned: bigint;
  fee: bigint;
  /** Virtual bytes once it is signed, at most. */
  vsize: number;
  /** For 1,000 virtual bytes. */
  feeRatePerKvb: bigint;
  /** No block takes it before: a height, or from 500,000,000 on Unix seconds; 0 for at once. */
  lockTime: number;
  /** Whether an input has to grow older first (BIP-68). This wallet builds no such transaction, and none with a lock time. */
  waitsForAge: boolean;
  /** Names exactly this transaction with these amounts: give it to the signing, which refuses any other. */
  approval: string;
};

const FINAL_SEQUENCE = 0xffffffff;
/** Characters of a PSBT as text, and its bytes. */
const MAX_PSBT_BYTES = 8_000_000;

/**
 * Reads what a PSBT would do. It is refused unless every input is the wallet's own with its amount proven, and signs
 * inputs and outputs whole.
 *
 * @throws WalletError `psbt_invalid`, `input_foreign`, `input_unproven`, `sighash_unsafe`
 * @example
 * const review = reviewTransaction(watch, psbt);
 * if (await confirm(review)) signTransaction(keys, watch, psbt, { approval: review.approval });
 */
export function reviewTransaction(wallet: WatchWallet, psbt: Uint8Array): TransactionReview {
  return review(wallet, parsePsbt(psbt));
}

/** Parses a PSBT. @throws WalletError `psbt_invalid` */
export function parsePsbt(psbt: Uint8Array): Transaction {
  if (psbt.length > MAX_PSBT_BYTES) {
    throw new WalletError('psbt_invalid', `A PSBT of ${psbt.length} bytes is not read.`);
  }
  try {
    return Transaction.fromPSBT(psbt, PSBT_OPTIONS);
  } catch (cause) {
    throw new WalletError('psbt_invalid', 'This is no PSBT (BIP-174) that can be read.', { cause });
  }
}

/** What {@link reviewTransaction} does, of a parsed one. */
export function review(wallet: WatchWallet, tx: Transaction): TransactionReview {
  if (tx.inputsLength === 0 || tx.outputsLength === 0) {
    throw new WalletError('psbt_invalid', 'A transaction has inputs and outputs.');
  }
  const inputs = Array.from({ length: tx.inputsLength }, (_, i) => readOwnInput(wallet, tx.getInput(i), i));
  // As text: a PSBT of the greatest length has thousands of inputs, and of outputs to compare with each.
  const spentScripts = new Set(inputs.map(({ owner }) => bytesToHex(owner.script)));
  const outputs = Array.from({ length: tx.outputsLength }, (_, i) =>
    readOutput(wallet, tx.getOutput(i), i, spentScripts),
  );
  const sum = (values: readonly { value: bigint }[]) =>
    values.reduce((total, { value }) => total + value, 0n);
  const returned = sum(outputs.filter(({ owner }) => owner !== undefined));
  const sent = sum(outputs) - returned;
  const fee = sum(inputs) - sum(outputs);
  if (fee < 0n) throw new WalletError('psbt_invalid', 'The outputs are more than the inputs.');
  let weight = frameWeight(inputs.length, outputs.length);
  for (const { owner } of inputs) weight += inputWeight(owner.kind);
  for (const { script } of outputs) weight += outputWeight(script);
  const vsize = vsizeOf(weight);
  const approval = approvalOf(tx, inputs);
  const sequences = inputs.map((_, i) => tx.getInput(i).sequence ?? FINAL_SEQUENCE);
  return {
    inputs,
    outputs,
    sent,
    returned,
    fee,
    vsize,
    feeRatePerKvb: (fee * 1_000n) / BigInt(vsize),
    lockTime: sequences.some((sequence) => sequence !== FINAL_SEQUENCE) ? tx.lockTime : 0,
    waitsForAge: tx.version >= 2 && sequences.some(isRelativeLock),
    approval,
  };
}

/** BIP-68: without its highest bit a sequence says how old the coin has to be, in its low half. */
function isRelativeLock(sequence: number): boolean {
  return sequence < 0x80000000 && (sequence & 0xffff) !== 0;
}

type PsbtInput = ReturnType<Transaction['getInput']>;
type PsbtOutput = ReturnType<Transaction['getOutput']>;

/**
 * An input of the wallet's own, with its amount proven.
 *
 * @throws WalletError `psbt_invalid`, `input_foreign`, `input_unproven`, `sighash_unsafe`
 */
export function readOwnInput(wallet: WatchWallet, input: PsbtInput, index: number): ReviewedInput {
  const { txid, index: vout, nonWitnessUtxo, witnessUtxo, sighashType } = input;
  if (txid === undefined || vout === undefined)
    throw new WalletError('psbt_invalid', `Input ${index} spends nothing.`);
  const owner = findOwner(wallet, input);
  if (owner === undefined) {
    throw new WalletError(
      'input_foreign',
      `Input ${index} is not of this wallet: it signs its own transactions only.`,
    );
  }
  const isSafe =
    sighashType === undefined ||
    sighashType === SigHash.ALL ||
    (owner.kind === 'p2tr' && sighashType === SigHash.DEFAULT);
  if (!isSafe) {
    throw new WalletError(
      'sighash_unsafe',
      `Input ${index} asks for a signature that leaves parts of the transaction open.`,
    );
  }
  // The library has compared the previous transaction with the txid; taproot signatures commit to all amounts.
  const proven = nonWitnessUtxo?.outputs[vout];
  const output = proven ?? (owner.kind === 'p2tr' ? witnessUtxo : undefined);
  if (output === undefined) {
    throw new WalletError(
      'input_unproven',
      `Input ${index} comes without the transaction that proves its amount.`,
    );
  }
  const differs = witnessUtxo !== undefined && proven !== undefined && witnessUtxo.amount !== proven.amount;
  if (differs || !equalBytes(output.script, owner.script)) {
    throw new WalletError('input_unproven', `Input ${index} spends another output than it says.`);
  }
  return { txid: bytesToHex(txid), vout, value: output.amount, owner };
}

function readOutput(
  wallet: WatchWallet,
  output: PsbtOutput,
  index: number,
  spentScripts: ReadonlySet<string>,
): ReviewedOutput {
  const { script, amount } = output;
  if (script === undefined || amount === undefined) {
    throw new WalletError('psbt_invalid', `Output ${index} is not whole.`);
  }
  const payload = describePayload(script);
  const claimed = findOwner(wallet, output);
  const isOurs =
    claimed !== undefined && claimed.index < MAX_CHAIN_ADDRESSES && equalBytes(claimed.script, script);
  const owner = isOurs ? claimed : undefined;
  const isReturn = owner?.chain === 1 || spentScripts.has(bytesToHex(script));
  const kind =
    payload !== undefined ? 'data' : owner === undefined ? 'external' : isReturn ? 'change' : 'own';
  const address = encodeAddress(script, wallet.network);
  return { index, kind, value: amount, script, address, owner, payload };
}

/** The address that a derivation of this wallet's master key leads to; whether the script is its, the caller checks. */
export function findOwner(
  wallet: WatchWallet,
  part: Pick<PsbtInput, 'bip32Derivation' | 'tapBip32Derivation'>,
): WalletAddress | undefined {
  const derivations = [
    ...(part.bip32Derivation ?? []).map(([, der]) => der),
    ...(part.tapBip32Derivation ?? []).map(([, { der }]) => der),
  ];
  for (const { fingerprint, path } of derivations) {
    const found = fingerprint === wallet.fingerprint ? readPathNumbers(path, wallet) : undefined;
    if (found !== undefined && wallet.accounts.some(({ kind }) => kind === found.kind)) {
      return deriveAddress(wallet, found);
    }
  }
  return undefined;
}

/** What is signed, and the amounts that are spent. */
function approvalOf(tx: Transaction, inputs: readonly ReviewedInput[]): string {
  const amounts = createWriter(8 * inputs.length);
  for (const { value } of inputs) amounts.u64(value);
  return bytesToHex(sha256(concatBytes(sha256d(tx.unsignedTx), amounts.finish())));
}
