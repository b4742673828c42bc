import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { writePsbt } from '@coinfront/sdk/wallet/psbt-text.ts';
import { sendTransaction, wasRefused } from '@coinfront/sdk/wallet/send-transaction.ts';
import type { SignedTransaction } from '@coinfront/sdk/wallet/sign-transaction.ts';
import { findWalletPath } from '../keystore/read-wallet-json.ts';
import type { Session } from '../service/connect.ts';
import { CliError } from '../shell/cli-error.ts';
import type { Context } from '../shell/context.ts';
import { exitCodes } from '../shell/exit-codes.ts';

/**
 * Sends what was signed. Where nobody can tell whether it arrived it is kept, so that the very same can be sent again: a
 * payment that is made anew could pay twice.
 *
 * @param kept the files that it is in already, or the signed PSBT, which is written beside the wallet then
 * @returns its txid
 * @throws CliError `send_unknown`; CoinfrontError when the service refused it
 */
export async function sendSigned(
  context: Context,
  { reads }: Session,
  signed: SignedTransaction,
  kept: Uint8Array | readonly string[],
): Promise<string> {
  try {
    return await sendTransaction(reads, signed, { signal: context.signal });
  } catch (cause) {
    if (wasRefused(cause)) throw cause;
    const { txid, hex } = signed;
    const files = kept instanceof Uint8Array ? await keep(context, txid, kept) : kept;
    const why = context.signal.aborted ? 'Interrupted.' : (cause as Error).message;
    const again =
      files.length > 0
        ? `coin send psbt ${files.join(' ')}`
        : `POST /api/v1/broadcast, as "raw_tx", of ${hex}; it could not be kept in a file`;
    const detail = `${why} It may have arrived or not. Do not pay again, which could pay twice: the very same transaction, ${txid}, is sent as often as it takes by: ${again}`;
    const facts = { txid, psbt_file: files[0] ?? null, raw_tx: hex };
    throw new CliError('send_unknown', detail, exitCodes.unknown, { cause, facts });
  }
}

/** Gives the file, or none where it cannot be written: that must not hide what is to be said. */
async function keep(context: Context, txid: string, psbt: Uint8Array): Promise<readonly string[]> {
  const path = join(dirname(findWalletPath(context)), `unsent-${txid}.psbt`);
  return await writeFile(path, `${writePsbt(psbt)}\n`, { mode: 0o600 }).then(
    () => [path],
    () => [],
  );
}
