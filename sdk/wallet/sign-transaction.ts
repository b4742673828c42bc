import { bytesToHex } from '@coinfront/protocol/bytes.ts';
import { SigHash, type Transaction } from '@scure/btc-signer/transaction.js';
import { checkFee, type FeePolicy } from './fee-policy.ts';
import { parsePsbt, review, type TransactionReview } from './review-transaction.ts';
import { WalletError } from './wallet-error.ts';
import type { WalletKeys } from './wallet-keys.ts';
import type { WatchWallet } from './watch-wallet.ts';

/** A transaction that can be sent. */
export type SignedTransaction = {
  /** Serialised, hex: all that a service ever gets. */
  hex: string;
  txid: string;
  /** Virtual bytes. */
  vsize: number;
};

export type SignOptions = {
  /** Of the review that was shown and accepted. */
  approval: string;
  /** Bounds of the fee; those of the coin unless given. */
  policy?: FeePolicy;
};

/**
 * Signs every input of a PSBT, offline. What is signed is what was reviewed: the PSBT is reviewed again, and refused
 * when its approval is not the one that is given.
 *
 * @returns the PSBT with its signatures
 * @throws WalletError `approval_mismatch`, `keys_mismatch`, `fee_absurd`, and what {@link reviewTransaction} throws
 * @example
 * const signed = signTransaction(keys, watch, psbt, { approval: review.approval });
 */
export function signTransaction(
  keys: WalletKeys,
  wallet: WatchWallet,
  psbt: Uint8Array,
  { approval, policy }: SignOptions,
): Uint8Array {
  checkKeys(keys, wallet);
  const tx = parsePsbt(psbt);
  const reviewed = review(wallet, tx);
  if (reviewed.approval !== approval) {
    throw new WalletError(
      'approval_mismatch',
      'The transaction is not the one that was reviewed: nothing was signed.',
    );
  }
  checkReviewedFee(reviewed, wallet, policy);
  for (const [index, { owner }] of reviewed.inputs.entries()) {
    const key = keys.privateKeyOf(owner);
    try {
      tx.signIdx(key, index, owner.kind === 'p2tr' ? [SigHash.DEFAULT, SigHash.ALL] : [SigHash.ALL]);
    } finally {
      key.fill(0);
    }
  }
  return tx.toPSBT(0);
}

/**
 * The watching half may have come from a machine that builds: with an account of somebody else's in it, a theft would be
 * shown as change.
 */
function checkKeys({ fingerprint, network, accounts }: WalletKeys, wallet: WatchWallet): void {
  const isOurs =
    fingerprint === wallet.fingerprint &&
    network.genesisHash === wallet.network.genesisHash &&
    wallet.accounts.every(({ kind, xpub }) => accounts.some((own) => own.kind === kind && own.xpub === xpub));
  if (!isOurs) throw new WalletError('keys_mismatch', 'These keys are of another wallet.');
}

/** Refuses what no person means to pay; see {@link checkFee}. */
export function checkReviewedFee(
  { fee, vsize, sent, returned, outputs }: TransactionReview,
  wallet: WatchWallet,
  policy?: FeePolicy,
): void {
  // To oneself, all that is not change counts: consolidating coins spends them too.
  const spent = sent > 0n ? sent : returned;
  const isData = outputs.some(({ kind }) => kind === 'data');
  checkFee(
    { fee, vsize, spent: isData ? sent + returned : spent },
    wallet.network,
    ...(policy ? [policy] : []),
  );
}

/**
 * Makes the transaction of one or more PSBTs that hold its signatures.
 *
 * @throws WalletError `not_signed`, `psbt_invalid`
 * @example
 * const { hex } = finaliseTransaction([signed]);
 * await reads.broadcast(hex);
 */
export function finaliseTransaction(psbts: readonly Uint8Array[]): SignedTransaction {
  const [first, ...others] = psbts.map(parsePsbt);
  if (first === undefined) throw new WalletError('psbt_invalid', 'There is no PSBT.');
  let tx: Transaction = first;
  try {
    for (const other of others) tx = tx.combine(other);
    if (!tx.isFinal) tx.finalize();
    const hex = bytesToHex(tx.extract());
    return { hex, txid: tx.id, vsize: tx.vsize };
  } catch (cause) {
    throw new WalletError('not_signed', 'Not every input is signed.', { cause });
  }
}
