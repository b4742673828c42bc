import { randomBytes } from 'node:crypto';
import { link, mkdir, open, rename, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { exportWatchOnly, importWatchOnly, type WatchWallet } from '@coinfront/sdk/wallet/watch-wallet.ts';
import { CliError } from '../shell/cli-error.ts';
import { exitCodes } from '../shell/exit-codes.ts';
import { readWalletJson, type WalletFileJson } from './read-wallet-json.ts';
import type { SealedSecret } from './seal-secret.ts';

/** The wallet at rest: what sees is open to who can read the file, what signs is sealed. */
export type WalletFile = {
  readonly watch: WatchWallet;
  /** Where it asks, unless told otherwise. */
  readonly service: string;
  /** Undefined in a wallet that only watches. */
  readonly secret: SealedSecret | undefined;
};

/**
 * Reads a wallet.
 *
 * @throws CliError `wallet_missing`, `wallet_file_open`, `wallet_file_invalid`; WalletError `watch_only_invalid`
 */
export async function readWalletFile(path: string): Promise<WalletFile> {
  const { watch, service, secret } = await readWalletJson(path);
  return { watch: importWatchOnly(watch), service, secret: secret ?? undefined };
}

/**
 * Writes a wallet, for its owner only: whole or not at all.
 *
 * @param options.replaces whether a wallet that is there gives way; otherwise it is never touched
 * @throws CliError `wallet_exists`
 */
export async function writeWalletFile(
  path: string,
  { watch, service, secret }: WalletFile,
  { replaces = false }: { replaces?: boolean } = {},
): Promise<void> {
  const json: WalletFileJson = {
    format: 'coin-wallet',
    version: 1,
    service,
    watch: exportWatchOnly(watch),
    secret: secret ?? null,
  };
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  // Not the process's number: in a container it is the same again after a kill.
  const draft = `${path}.${randomBytes(6).toString('hex')}.new`;
  const file = await open(draft, 'wx', 0o600);
  try {
    try {
      await file.writeFile(`${JSON.stringify(json, null, 2)}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    if (replaces) await rename(draft, path);
    // Unlike a rename, a link never takes the place of what is there.
    else await link(draft, path);
    await syncFolder(dirname(path));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const detail = `There is a wallet at ${path} already; it is never overwritten. Name another by --wallet.`;
    throw new CliError('wallet_exists', detail, exitCodes.locked);
  } finally {
    await unlink(draft).catch(() => {});
  }
}

/** Until then a loss of power could take the name of the file away; where folders cannot be synced nothing is lost by it. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r').catch(() => undefined);
  await folder?.sync().catch(() => {});
  await folder?.close();
}

/** What a wallet's secret is bound to: it opens in no other wallet's file. */
export function secretContext({ fingerprint, network }: WatchWallet): string {
  return `coin-wallet 1 ${network.genesisHash} ${fingerprint.toString(16).padStart(8, '0')}`;
}
