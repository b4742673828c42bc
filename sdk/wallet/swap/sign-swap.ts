import { bytesToHex, equalBytes } from '@coinfront/protocol/bytes.ts';
import { OP_RETURN } from '@coinfront/protocol/opcodes.ts';
import { SigHash, type Transaction } from '@scure/btc-signer/transaction.js';
import { checkFee, type FeePolicy } from '../fee-policy.ts';
import type { Network } from '../network.ts';
import { findOwner, parsePsbt, type ReviewedInput, readOwnInput } from '../review-transaction.ts';
import { frameWeight, inputWeight, outputWeight, vsizeOf } from '../transaction-weight.ts';
import type { WalletAddress } from '../wallet-address.ts';
import type { WalletKeys } from '../wallet-keys.ts';
import type { WatchWallet } from '../watch-wallet.ts';
import { buildSwapRefund, escrowInput, swapOutputs } from './build-swap.ts';
import type { SwapFunding } from './swap-funding.ts';
import { checkTerms, mismatch, RECEIVER_VOUT, type SwapTerms } from './swap-terms.ts';

/** A swap as one party sees it: what is agreed, where the escrow is, and the address whose key it gave for it. */
export type SwapSide = {
  readonly terms: SwapTerms;
  readonly funding: SwapFunding;
  readonly network: Network;
  readonly own: WalletAddress;
};

/** Weight units of the escrow's input once both have signed. */
const ESCROW_WEIGHT = 4 * 41 + 1 + 1 + 2 * 73 + 1 + 71;

/** What the buyer signs, base units. */
export type SwapReview = {
  inputs: ReviewedInput[];
  /** What the buyer has less than before: the price, the fee, and an output to itself that carries the tokens. */
  paid: bigint;
  fee: bigint;
  /** At most. */
  vsize: number;
};

/**
 * Signs one's part of the refund, which has nothing to look at: both make the very same one. A buyer signs it for one funding of an escrow, ever:
 * with refunds of two the seller could take the tokens back by one, and the price by the swap of the other. Another funding needs new keys.
 *
 * @returns a PSBT; with that of the other party `completeSwapRefund` makes the transaction of them
 * @throws WalletError `swap_mismatch`, …
 */
export function signSwapRefund(keys: WalletKeys, side: SwapSide): Uint8Array {
  checkOwn(side);
  const tx = parsePsbt(buildSwapRefund(side.terms, side.funding, side.network));
  signInput(keys, tx, 0, side.own);
  return tx.toPSBT(0);
}

/**
 * Signs the swap as its seller: the escrow's input alone, and only where the price is paid.
 *
 * @throws WalletError `swap_mismatch`, `psbt_invalid`, …
 * @example
 * const signed = signSwapAsSeller(keys, { terms, funding, network, own }, psbt);
 */
export function signSwapAsSeller(keys: WalletKeys, side: SwapSide, psbt: Uint8Array): Uint8Array {
  checkOwn(side);
  const tx = parsePsbt(psbt);
  checkSwap(tx, side);
  signInput(keys, tx, 0, side.own);
  return tx.toPSBT(0);
}

/**
 * Reads what a swap would do to its buyer, from the PSBT and the wallet's own keys alone.
 *
 * @throws WalletError `swap_mismatch`, `input_foreign`, `input_unproven`, `sighash_unsafe`, `fee_absurd`
 */
export function reviewSwap(
  wallet: WatchWallet,
  side: SwapSide,
  psbt: Uint8Array,
  policy?: FeePolicy,
): SwapReview {
  const tx = parsePsbt(psbt);
  checkSwap(tx, side);
  const fixed = swapOutputs(side.terms, side.network);
  const inputs: ReviewedInput[] = [];
  for (let i = 1; i < tx.inputsLength; i++) inputs.push(readOwnInput(wallet, tx.getInput(i), i));
  let change = 0n;
  const received = tx.getOutput(RECEIVER_VOUT).amount ?? 0n;
  let weight = frameWeight(tx.inputsLength, tx.outputsLength) + ESCROW_WEIGHT;
  for (const { owner } of inputs) weight += inputWeight(owner.kind);
  for (let i = 0; i < tx.outputsLength; i++) {
    const output = tx.getOutput(i);
    weight += outputWeight(output.script!);
    if (i < fixed.length) continue;
    const owner = findOwner(wallet, output);
    if (!owner || !equalBytes(owner.script, output.script!))
      throw mismatch(`Output ${i} is not the buyer's.`);
    change += output.amount!;
  }
  const given = inputs.reduce((sum, { value }) => sum + value, 0n);
  const fee = given - change - side.terms.price - received;
  const vsize = vsizeOf(weight);
  checkFee({ fee, vsize, spent: side.terms.price }, wallet.network, ...(policy ? [policy] : []));
  return { inputs, paid: given - change, fee, vsize };
}

/**
 * Signs the swap as its buyer: the escrow's input and those of the wallet. First see that the escrow has the tokens, for long enough:
 * `isSwapFunded`.
 *
 * @throws WalletError as {@link reviewSwap}
 * @example
 * const signed = signSwapAsBuyer(keys, watch, { terms, funding, network, own }, psbt);
 */
export function signSwapAsBuyer(
  keys: WalletKeys,
  wallet: WatchWallet,
  side: SwapSide,
  psbt: Uint8Array,
  policy?: FeePolicy,
): Uint8Array {
  checkOwn(side);
  const { inputs } = reviewSwap(wallet, side, psbt, policy);
  const tx = parsePsbt(psbt);
  signInput(keys, tx, 0, side.own);
  for (const [i, { owner }] of inputs.entries()) signInput(keys, tx, i + 1, owner);
  return tx.toPSBT(0);
}

function checkOwn({ terms, network, own }: SwapSide): void {
  checkTerms(terms, network);
  const isParty = [terms.seller, terms.buyer].some(({ publicKey }) => equalBytes(publicKey, own.publicKey));
  if (!isParty || own.kind === 'p2tr') throw mismatch('The address is not that of a key of the escrow.');
}

/** Refuses what is not the swap of the terms: the escrow first, what the terms fix at its places, and no other carrier. */
function checkSwap(tx: Transaction, { terms, funding, network }: SwapSide): void {
  const wanted = escrowInput(terms, funding, network);
  const input = tx.inputsLength > 0 ? tx.getInput(0) : undefined;
  const isEscrow =
    input?.txid !== undefined &&
    equalBytes(input.txid, wanted.txid) &&
    input.index === wanted.index &&
    input.witnessScript !== undefined &&
    equalBytes(input.witnessScript, wanted.witnessScript) &&
    input.witnessUtxo?.amount === wanted.witnessUtxo.amount &&
    equalBytes(input.witnessUtxo.script, wanted.witnessUtxo.script);
  if (!isEscrow) throw mismatch(`Input 0 is not the escrow of ${funding.txid}.`);
  if (input.sighashType !== undefined && input.sighashType !== SigHash.ALL)
    throw mismatch('The escrow asks for a signature that leaves parts of the transaction open.');
  if (tx.lockTime !== 0) throw mismatch('The swap has a lock time.');
  const fixed = swapOutputs(terms, network);
  for (const [i, { script, value }] of fixed.entries()) {
    const output = i < tx.outputsLength ? tx.getOutput(i) : undefined;
    const isWanted = output?.script !== undefined && equalBytes(output.script, script);
    // What carries the tokens to the buyer has as much as the buyer likes: nodes relay what others call dust.
    if (!isWanted || (i !== RECEIVER_VOUT && output.amount !== value))
      throw mismatch(`Output ${i} is not ${bytesToHex(script)} with ${value} base units.`);
  }
  for (let i = fixed.length; i < tx.outputsLength; i++) {
    const { script, amount } = tx.getOutput(i);
    if (script === undefined || amount === undefined) throw mismatch(`Output ${i} is not whole.`);
    // A second payload would make the operation invalid, and the price would be paid for nothing.
    if (script[0] === OP_RETURN) throw mismatch(`Output ${i} is a data carrier.`);
  }
}

function signInput(keys: WalletKeys, tx: Transaction, index: number, owner: WalletAddress): void {
  const key = keys.privateKeyOf(owner);
  try {
    tx.signIdx(key, index, owner.kind === 'p2tr' ? [SigHash.DEFAULT, SigHash.ALL] : [SigHash.ALL]);
  } finally {
    key.fill(0);
  }
}
