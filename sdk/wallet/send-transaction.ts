import { CoinfrontError } from '../client/error.ts';
import type { SignedTransaction } from './sign-transaction.ts';
import { WalletError } from './wallet-error.ts';
import type { WalletReads } from './wallet-reads.ts';

export type SendOptions = {
  signal?: AbortSignal;
  /** How long to wait until the service's reads have it, milliseconds; 15,000 unless given, 0 does not wait. */
  waitMs?: number;
};

type Reads = Pick<WalletReads, 'broadcast' | 'getRawTransaction'>;

const FIRST_LOOK_MS = 100;
const MAX_LOOK_MS = 1_000;
/** How often a transaction is sent of which no answer tells what became of it, and how long each time is at most. */
const ATTEMPTS = 3;
const ATTEMPT_MS = 30_000;
const BETWEEN_MS = 1_000;

/**
 * Sends a signed transaction, and waits until the service's reads have it too: a scan before that would still show its
 * coins, and a payment built from them would replace this one. Where an answer is lost the same transaction is looked for
 * and sent again, which is safe: it can be mined once only. A payment that is built anew could pay twice.
 *
 * @returns its id, which is known before it is sent
 * @throws WalletError `send_unknown` when it may have been sent or not: send the same transaction again later, and build no
 *   other one; `broadcast_mismatch` when the service answers for another one, which leaves this one unknown, too; what the
 *   call throws when the service refused it; the signal's reason, of a transaction that may have been sent
 * @example
 * await sendTransaction(reads, finaliseTransaction([signed]));
 */
export async function sendTransaction(
  reads: Reads,
  signed: SignedTransaction,
  { signal, waitMs = 15_000 }: SendOptions = {},
): Promise<string> {
  await deliver(reads, signed, signal);
  const { txid } = signed;
  const deadline = Date.now() + waitMs;
  for (let pauseMs = FIRST_LOOK_MS; Date.now() < deadline; pauseMs = Math.min(2 * pauseMs, MAX_LOOK_MS)) {
    // It was sent: whoever will not wait any longer, or cannot look at it, is told no failure.
    if (signal?.aborted || (await isSeen(reads, txid, deadline - Date.now(), signal))) break;
    await pause(Math.min(pauseMs, deadline - Date.now()), signal);
  }
  return txid;
}

/**
 * Whether a failed {@link sendTransaction} is sure not to have sent anything: the service refused it, or it never left.
 *
 * @example
 * if (!wasRefused(error)) keep(signed);
 */
export function wasRefused(error: unknown): boolean {
  if (!(error instanceof CoinfrontError)) return false;
  const { code, status } = error;
  return code === 'invalid_argument' || (status !== undefined && status >= 400 && status < 500);
}

/** Until an answer says that the service has it. */
async function deliver(
  reads: Reads,
  { hex, txid }: SignedTransaction,
  signal: AbortSignal | undefined,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    signal?.throwIfAborted();
    let failure: unknown;
    try {
      const answer = await reads.broadcast(hex, signal === undefined ? {} : { signal });
      if (answer?.txid === txid) return;
      failure = new WalletError(
        'broadcast_mismatch',
        `The service answered for another transaction than ${txid}.`,
      );
    } catch (error) {
      failure = error;
    }
    signal?.throwIfAborted();
    // A refusal after an attempt that may have succeeded, such as of coins that are spent, does not say by whom.
    if (attempt === 1 && (wasRefused(failure) || failure instanceof WalletError)) throw failure;
    if (await isSeen(reads, txid, ATTEMPT_MS, signal)) return;
    if (attempt === ATTEMPTS) throw unknown(txid, failure);
    await pause(BETWEEN_MS, signal);
  }
}

function unknown(txid: string, cause: unknown): WalletError {
  const why = cause instanceof CoinfrontError ? cause.detail : String((cause as Error)?.message ?? cause);
  const detail = `Whether transaction ${txid} was sent is not known: ${why} Send the same one again, and build no other.`;
  return new WalletError('send_unknown', detail, { cause });
}

function isSeen(
  reads: Reads,
  txid: string,
  withinMs: number,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const limit = AbortSignal.timeout(Math.max(withinMs, 1));
  const options = { signal: signal === undefined ? limit : AbortSignal.any([signal, limit]) };
  return reads.getRawTransaction(txid, options).then(
    () => true,
    () => false,
  );
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, Math.max(ms, 0));
    signal?.addEventListener('abort', end, { once: true });
    if (signal?.aborted) end();
  });
}
