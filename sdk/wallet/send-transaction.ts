import type { SignedTransaction } from './sign-transaction.ts';
import { WalletError } from './wallet-error.ts';
import type { WalletReads } from './wallet-reads.ts';

export type SendOptions = {
  signal?: AbortSignal;
  /** How long to wait until the service's reads have it, milliseconds; 15,000 unless given, 0 does not wait. */
  waitMs?: number;
};

const FIRST_LOOK_MS = 100;
const MAX_LOOK_MS = 1_000;

/**
 * Sends a signed transaction, and waits until the service's reads have it too: a scan before that would still show its
 * coins, and a payment built from them would replace this one. Sending it again is safe: it is the same transaction.
 *
 * @returns its id, which is known before it is sent
 * @throws WalletError `broadcast_mismatch` when the service answers for another one; what the call throws; the signal's
 *   reason, of a transaction that may have been sent
 * @example
 * await sendTransaction(reads, finaliseTransaction([signed]));
 */
export async function sendTransaction(
  reads: Pick<WalletReads, 'broadcast' | 'getRawTransaction'>,
  { hex, txid }: SignedTransaction,
  { signal, waitMs = 15_000 }: SendOptions = {},
): Promise<string> {
  const answer = await reads.broadcast(hex, signal === undefined ? {} : { signal });
  if (answer.txid !== txid) {
    throw new WalletError('broadcast_mismatch', `The service answered for another transaction than ${txid}.`);
  }
  const deadline = Date.now() + waitMs;
  for (let pauseMs = FIRST_LOOK_MS; Date.now() < deadline; pauseMs = Math.min(2 * pauseMs, MAX_LOOK_MS)) {
    signal?.throwIfAborted();
    // It was sent: that it cannot be looked at is no failure of that.
    const limit = AbortSignal.timeout(Math.max(deadline - Date.now(), 1));
    const isSeen = await reads.getRawTransaction(txid, { signal: limit }).then(
      () => true,
      () => false,
    );
    if (isSeen) break;
    await pause(Math.min(pauseMs, deadline - Date.now()));
  }
  return txid;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.max(ms, 0)));
}
