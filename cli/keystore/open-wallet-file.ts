import { openWallet, type WalletKeys } from '@coinfront/sdk/wallet/wallet-keys.ts';
import { exportWatchOnly, type WatchWallet } from '@coinfront/sdk/wallet/watch-wallet.ts';
import { CliError } from '../shell/cli-error.ts';
import type { Context } from '../shell/context.ts';
import { exitCodes } from '../shell/exit-codes.ts';
import { readPassphrase } from './passphrase.ts';
import { findWalletPath } from './read-wallet-json.ts';
import { openSecret, type SealedSecret, sealSecret } from './seal-secret.ts';
import { readWalletFile, secretContext, type WalletFile } from './wallet-file.ts';

/** What is sealed: all that the keys come from. */
export type WalletSecret = { readonly mnemonic: string; readonly passphrase: string };

/** Reads the wallet, without its keys. */
export function loadWallet(context: Context): Promise<WalletFile> {
  return readWalletFile(findWalletPath(context));
}

/** Seals the secret of a wallet. */
export async function sealWallet(
  secret: WalletSecret,
  watch: WatchWallet,
  filePassphrase: string,
): Promise<SealedSecret> {
  const bytes = Buffer.from(JSON.stringify(secret));
  try {
    return await sealSecret(bytes, filePassphrase, secretContext(watch));
  } finally {
    bytes.fill(0);
  }
}

/**
 * Opens the keys of a wallet, asking for the passphrase. Who has them wipes them.
 *
 * @throws CliError `watch_only`, `passphrase_wrong`, `wallet_file_invalid`
 */
export async function unlockWallet(context: Context, file: WalletFile): Promise<WalletKeys> {
  const { mnemonic, passphrase } = await openWalletSecret(context, file);
  const { keys, watch } = openWallet({ mnemonic, passphrase, network: file.watch.network });
  // Whoever can write the file could have put their own addresses into its open half.
  if (JSON.stringify(exportWatchOnly(watch)) === JSON.stringify(exportWatchOnly(file.watch))) return keys;
  keys.wipe();
  const detail = 'The accounts in the wallet file are not those of its keys: somebody has changed it.';
  throw new CliError('wallet_file_invalid', detail, exitCodes.locked);
}

/** @throws CliError `watch_only`, `passphrase_wrong`, `wallet_file_invalid` */
export async function openWalletSecret(
  context: Context,
  { watch, secret }: WalletFile,
): Promise<WalletSecret> {
  if (secret === undefined) {
    const detail = 'This wallet only watches: sign where its keys are. See: coin help sign psbt';
    throw new CliError('watch_only', detail, exitCodes.locked);
  }
  const bytes = await openSecret(secret, await readPassphrase(context), secretContext(watch));
  try {
    return JSON.parse(bytes.toString('utf8')) as WalletSecret;
  } finally {
    bytes.fill(0);
  }
}
