import type { PreflightJson } from '@coinfront/api/token-checks.ts';
import type { SignedTransaction } from './sign-transaction.ts';
import { WalletError } from './wallet-error.ts';

/**
 * Asks a service to check a signed token transaction without sending it: a send that the rules void would cost its fee
 * and move nothing.
 *
 * @param preflight - `(raw_tx) => preflightToken(client, { raw_tx })`
 * @throws WalletError `preflight_failed` with the checks that failed
 * @example
 * await preflightTransaction(signed, (raw_tx) => preflightToken(client, { raw_tx }));
 * await sendTransaction(reads, signed);
 */
export async function preflightTransaction(
  { hex, txid }: SignedTransaction,
  preflight: (rawTx: string) => Promise<PreflightJson>,
): Promise<PreflightJson> {
  const verdict = await preflight(hex);
  if (verdict.txid !== txid) {
    throw new WalletError(
      'preflight_failed',
      'The service checked another transaction than the one that was given.',
    );
  }
  if (verdict.ok === true) return verdict;
  const failed = (verdict.checks ?? [])
    .filter(({ result }) => result === 'failed')
    .map(({ name, detail }) => `${name}: ${detail}`);
  throw new WalletError('preflight_failed', `It was not sent. ${failed.join(' ')}`);
}
