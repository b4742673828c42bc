import type { SignedTransaction } from './sign-transaction.ts';
import { WalletError } from './wallet-error.ts';
import type { WalletReads } from './wallet-reads.ts';

/**
 * Sends a signed transaction. Sending it again is safe: it is the same transaction.
 *
 * @returns its id, which is known before it is sent
 * @throws WalletError `broadcast_mismatch` when the service answers for another one; and what the call throws
 * @example
 * await sendTransaction(reads, finaliseTransaction([signed]));
 */
export async function sendTransaction(
  reads: Pick<WalletReads, 'broadcast'>,
  { hex, txid }: SignedTransaction,
): Promise<string> {
  const answer = await reads.broadcast(hex);
  if (answer.txid === txid) return txid;
  throw new WalletError('broadcast_mismatch', `The service answered for another transaction than ${txid}.`);
}
