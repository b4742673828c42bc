import { compareBytes, equalBytes, getHexBytes } from '@coinfront/protocol/bytes.ts';
import { checkSignatureForm, isSignatureOf } from '@coinfront/protocol/messages/ecdsa-rules.ts';
import { getValue } from '@coinfront/protocol/result.ts';
import { segwitSighashAll } from '@coinfront/protocol/sighash.ts';
import { parseTransaction, serializeTransaction } from '@coinfront/protocol/transaction.ts';
import { parsePsbt } from '../review-transaction.ts';
import { finaliseTransaction, type SignedTransaction } from '../sign-transaction.ts';
import { buildSwapRefund } from './build-swap.ts';
import type { SwapSide } from './sign-swap.ts';
import { mismatch, swapEscrow } from './swap-terms.ts';

/**
 * Makes the refund of both parties' signatures, and verifies them: what the seller does before the funding is sent. With a signature that
 * is none the tokens would be in the escrow, and out of reach.
 *
 * @param psbts - what `signSwapRefund` gave each of them
 * @throws WalletError `swap_mismatch`, `not_signed`, `psbt_invalid`
 * @example
 * const refund = completeSwapRefund(side, [own, theirs]);
 */
export function completeSwapRefund(
  { terms, funding, network }: SwapSide,
  psbts: readonly Uint8Array[],
): SignedTransaction {
  const signed = finaliseTransaction(psbts);
  const tx = getValue(parseTransaction(getHexBytes(signed.hex)));
  const wanted = parsePsbt(buildSwapRefund(terms, funding, network)).unsignedTx;
  if (!equalBytes(serializeTransaction(tx, { witness: false }), wanted))
    throw mismatch('The signatures are of another transaction than the refund.');
  const { witnessScript } = swapEscrow(terms, network);
  const digest = segwitSighashAll(tx, 0, { scriptCode: witnessScript, value: terms.escrowValue });
  const signatures = tx.inputs[0]!.witness.slice(1, -1);
  const keys = [terms.seller.publicKey, terms.buyer.publicKey].sort(compareBytes);
  const isWhole =
    signatures.length === keys.length &&
    signatures.every(
      (signature, i) =>
        checkSignatureForm(signature) === undefined && isSignatureOf(signature, digest, keys[i]!),
    );
  if (!isWhole) throw mismatch('A signature of the refund is none: the funding must not be sent.');
  return signed;
}
