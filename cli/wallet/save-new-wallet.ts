import { access } from 'node:fs/promises';
import type { Network } from '@coinfront/sdk/wallet/network.ts';
import { openWallet } from '@coinfront/sdk/wallet/wallet-keys.ts';
import type { WatchWallet } from '@coinfront/sdk/wallet/watch-wallet.ts';
import { sealWallet, type WalletSecret } from '../keystore/open-wallet-file.ts';
import { readNewPassphrase } from '../keystore/passphrase.ts';
import { findWalletPath } from '../keystore/read-wallet-json.ts';
import { writeWalletFile } from '../keystore/wallet-file.ts';
import { CliError } from '../shell/cli-error.ts';
import type { Context } from '../shell/context.ts';
import { exitCodes } from '../shell/exit-codes.ts';

/**
 * Asks for a passphrase, seals the words and writes the wallet.
 *
 * @throws CliError `wallet_exists`, and those of the passphrase
 */
export async function saveNewWallet(
  context: Context,
  secret: WalletSecret,
  network: Network,
  service: string,
): Promise<{ path: string; watch: WatchWallet }> {
  const path = findWalletPath(context);
  await checkFree(path);
  const { watch, keys } = openWallet({ ...secret, network });
  keys.wipe();
  const sealed = await sealWallet(secret, watch, await readNewPassphrase(context));
  await writeWalletFile(path, { watch, service, secret: sealed });
  return { path, watch };
}

/** Before anything is typed; whether it is still free decides the writing. */
export async function checkFree(path: string): Promise<void> {
  const isTaken = await access(path).then(
    () => true,
    () => false,
  );
  if (!isTaken) return;
  const detail = `There is a wallet at ${path} already; it is never overwritten. Name another by --wallet.`;
  throw new CliError('wallet_exists', detail, exitCodes.locked);
}
